/** A prompt in two: what the person typed, and what the person brought in from elsewhere. */
export interface SplitPrompt {
  /** The person's own sentences; empty where the whole prompt may be pasted. */
  readonly own: string
  /** From the first sign of a paste to the last; null where there is none. */
  readonly pasted: string | null
}

const BLOCK_CHARS_MAX = 700 // a longer block without a first person is somebody else's text
const OWN_BLOCK_CHARS_MAX = 3_000 // nobody types more in one go
const QUOTED_WORDS_MIN = 5 // in quotation marks: fewer are a name or a term
const LINE_CHARS_MAX = 20_000 // a longer line is no sentence

/** Lines that people seldom type and often copy. Each pattern looks at one line. */
const SIGNS: readonly RegExp[] = [
  /^\s*(?:```|~~~)/, // a fence
  /^\s*(?:>|\||»|│|┃)/, // a quote, a table, a box
  /<\/?[a-z][\w:.-]*(?:\s[^<>]*)?\/?>/i, // a tag
  /^\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|#{1,6}\s|<!--|\/\*|\/\/|--\s)/, // a rule, a heading, a comment
  /^\s*(?:-{2,}|={2,}|\*{2,}|\[|<)?\s*(?:begin|start|end|original message|forwarded|pasted|quote)\b.*(?:-{2,}|={2,}|\*{2,}|\]|>)\s*$/i,
  /^\s*(?:from|to|cc|bcc|subject|date|sent|reply-to|content-type|title|author|source|url|betreff|von|an)\s*:/i,
  /^\s*(?:system|assistant|user|human|ai|bot|model|admin|moderator|developer|tool|important|note|notice|warning|instructions?|attention|update|policy|reminder|memory|fact)\s*[:>\]]/i,
  /^\s*\[[^\]]{1,40}\]/, // [10:32] ann, [INFO], [Pasted text]
  /^\s*\(?\d{1,4}[-/:.]\d{1,2}[-/:.]\d{1,4}\b/, // a date or a time first
  /^\s*(?:dear|hi|hello|hey|hallo|bonjour)\s+[\p{L} .-]{1,40}[,!:]\s*$/iu, // a letter’s beginning
  /^\s*(?:(?:kind|best|warm)?\s*regards|best|cheers|sincerely|yours|thanks|many thanks|br|gruß|lg)\s*,?\s*$/i,
  /^\s*(?:on .{4,80} wrote|.{2,60} (?:wrote|writes|said|says|reads|states|replied|posted))\s*:\s*$/i,
  /^\s*(?:\$|%|❯|➜|PS>|>>>|\.\.\.)\s/, // a shell
  /^\s*(?:at\s+\S+\s*\(|Traceback|Caused by|\w*(?:Error|Exception)\b\s*:|npm ERR|fatal:|error:|warning:)/, // a trace
  /^(?:diff --git|index [0-9a-f]{7}|@@ |\+\+\+ |--- |[+-]\s{2,}\S)/, // a difference
  /^(?: {4,}|\t)\S/, // indented
  /[;{}]\s*$/, // code
  /^\s*(?:import|export|const|let|var|function|class|def|return|if \(|for \(|while \(|SELECT|INSERT|UPDATE|DELETE|CREATE)\b.*[({=;:*]/,
  /^\s*["{[].*["}\]],?\s*$/, // JSON
  /^\s*\w[\w.-]*\s*=\s*\S+$/, // NAME=value
  /^\s*https?:\/\/\S+\s*$/i, // an address alone
  /\u00a0|\u200b|\u2028|\ufeff/, // characters that no keyboard gives
]

/** A line that announces words of somebody else, and ends with a colon. */
const ANNOUNCES =
  /\b(?:here(?:'s|’s| is| are)|below|this|these|following|error|log|logs|output|e-?mail|mail|message|letter|page|article|post|thread|ticket|issue|comment|readme|text|doc|docs|document|documentation|snippet|code|paste[ds]?|copied|quote|transcript|answer|reply|response|result|report|wiki|chat|slack|file|changelog|notes|minutes|spec|manual|summary|translation|says|said|wrote|writes|reads|states|told|got|from)\b[^.!?]*:\s*$/i

/** The same within a line. */
const SAYS =
  /\b(?:error|logs?|output|e-?mail|mail|message|page|article|post|ticket|comment|readme|docs?|says?|said|wrote|writes|reads|states|pasted?|copied|quote|reply|reported)\b[^.!?:]{0,40}:\s+\S/i

/** Announced, but the person's own: a list of wishes. */
const OWN_LIST =
  /\b(?:i|we)\s+(?:want|need|would like|expect|prefer|decided|think|know|see|have)\b[^.!?]*:\s*$|\b(?:please|do|make sure|requirements?|goals?|steps?|questions?|rules?|todo|wishes|points)\b[^.!?]*:\s*$/i

const FIRST_PERSON = /\b(?:i|i['’](?:m|d|ve|ll)|me|my|mine|we|we['’](?:re|d|ve|ll)|us|our|ours)\b/i

const QUOTATION = /["“„«]([^"“”„«»]+)["”“»]|(?<![\p{L}\p{N}])['‘]([^'‘’]+)['’](?![\p{L}\p{N}])/gu

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

const holdsQuotation = (line: string): boolean =>
  [...line.matchAll(QUOTATION)].some(
    ([, double, single]) => wordsIn(double ?? single ?? '') >= QUOTED_WORDS_MIN,
  )

/**
 * Splits a prompt. The paste reaches from the first sign to the last, since words in between may belong to the
 * paste; an announced paste reaches to the end. In doubt words are pasted: a person can confirm them later.
 */
export function splitPrompt(text: string): SplitPrompt {
  const lines = text.split(/\r\n|\r|\n/)
  const isSign = signsIn(lines)
  const first = isSign.indexOf(true)
  if (first < 0) return { own: text, pasted: null }
  const last = isSign.lastIndexOf(true)
  const pasted = lines.slice(first, last + 1).join('\n')
  const note = `[pasted: ${pasted.length} characters]`
  const before = lines.slice(0, first).join('\n')
  const after = lines.slice(last + 1).join('\n')
  const hasOwn = wordsIn(before) + wordsIn(after) > 0
  const parts = [before, note, after].filter((part) => part.trim() !== '')
  return { own: hasOwn ? parts.join('\n') : '', pasted }
}

function signsIn(lines: readonly string[]): readonly boolean[] {
  const signs = lines.map(
    (line) =>
      line.length > LINE_CHARS_MAX ||
      SIGNS.some((sign) => sign.test(line)) ||
      SAYS.test(line) ||
      holdsQuotation(line),
  )
  markLongBlocks(lines, signs)
  const announced = lines.findIndex((line) => ANNOUNCES.test(line) && !OWN_LIST.test(line))
  if (announced >= 0 && lines.slice(announced + 1).some((line) => line.trim() !== '')) {
    signs.fill(true, announced + 1)
  }
  // A fence that nobody closes reaches to the end.
  const fences = lines.flatMap((line, at) => (/^\s*(?:```|~~~)/.test(line) ? [at] : []))
  if (fences.length % 2 === 1) signs.fill(true, fences.at(-1))
  return signs
}

function markLongBlocks(lines: readonly string[], signs: boolean[]): void {
  let from = 0
  for (let at = 0; at <= lines.length; at += 1) {
    if (at < lines.length && lines[at]?.trim() !== '') continue
    const block = lines.slice(from, at).join('\n')
    const isLong = block.length > BLOCK_CHARS_MAX && !FIRST_PERSON.test(block)
    if (isLong || block.length > OWN_BLOCK_CHARS_MAX) signs.fill(true, from, at)
    from = at + 1
  }
}
