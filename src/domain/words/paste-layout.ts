/** Layout that people seldom type and often copy. Each pattern looks at a single line. */
const LAYOUT: readonly RegExp[] = [
  /^\s*(?:>|\||»|│|┃)/, // a quote, a table, a box
  /<\/?[a-z][\w:.-]*(?:\s[^<>]*)?\/?>/i, // a tag
  /^\s*(?:[-=*_]{3,}|--\s*$|#{1,6}\s|<!--|\/\*|\/\/|--\s|\.\. \w)/, // a rule, the line above a signature, a heading, a comment
  /^\s*(?:-{2,}|={2,}|\*{2,}|\[|<)?\s*(?:begin|start|end|original message|forwarded|pasted|quote)\b.*(?:-{2,}|={2,}|\*{2,}|\]|>)\s*$/i,
  /^\s*(?:system|assistant|user|human|ai|bot|model|admin|moderator|developer|tool|note|notice|instructions?|attention|memory|fact|q|a|agent|customer|support|kunde)\s*(?:\([^)]*\)\s*)?[:>\]]/i,
  /^\s*[[(][^\])]{1,40}[\])]\s*\S/, // [10:32] ann, [INFO]
  /^\s*\(?\d{1,4}[-/:.]\d{1,2}[-/:.]\d{1,4}(?!\d)/, // a date or a time first
  /^\s*\p{L}{3} +\d{1,2} \d{2}:\d{2}/u, // the date of a log
  /^\s*\d{1,2}:\d{2}(?::\d{2})?\s+\p{L}/u,
  /^.{1,40}\s\d{1,2}:\d{2}(?:\s?[AP]M)?\s*$/i, // boris 10:05 AM
  /^\s*(?:(?:kind|best|warm|many)?\s*regards|best wishes|best|sincerely|yours(?: \p{L}+)?|br|gruß|lg|mfg|mit freundlichen grüßen|viele grüße|cordialement|un saludo|saludos|cordiali saluti|met vriendelijke groet|atenciosamente)\s*(?:,[^.!?]{0,60})?$/iu,
  /^\s*(?:[Tt]hanks|[Mm]any thanks|[Cc]heers),?(?: \p{Lu}\p{L}*)?\s*$/u,
  /^\s*(?:\$|%|❯|➜|PS>|>>>|\.\.\.)\s/, // a shell
  /^\s*(?:npm|pip|git|docker|curl|sudo|apt|brew|cargo|go|make) (?:[a-z-]+ )*\S*[./@-]/, // a command
  /^\s*(?:at\s+\S+\s*\(|Traceback|Caused by|Exception in|panic:|goroutine|PING |remote:|[A-Z][A-Z-]{2,}[:;=]\S|\w*(?:Error|Exception)\b\s*:|npm ERR|fatal:|error(?:\[\w+\])?:|warning:|FAIL |\s*●)/,
  /^(?:diff --git|index [0-9a-f]{7}|@@ |\+\+\+ |--- |[+-]\s{2,}\S)/, // a difference
  /^\s*(?:[*|\\/] )*(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40} (?:\([^)]*\) )?\S/, // a commit of a log
  /^(?: {4,}|\t)\S|\S\t\S/, // indented, or columns
  /^ {2,}(?:- \S|\w+:(?:\s|$))/, // YAML
  /[;{}]\s*$/, // code
  /^\s*(?:import|export|const|let|var|function|class|def|return|if \(|for \(|while \(|SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|RUN)\b.*[({=;:*]/,
  /^\s*["{[].*["}\]],?\s*$/, // JSON
  /^\s*\w[\w.-]*\s*=\s*\S+$/, // NAME=value
  /^\s*(?:https?:\/\/\S+\s*$|(?:v|version |release )\d+(?:\.\d+)+(?: \([^)]*\))?:?\s*$)/i, // an address or a version alone
  /^\s*\p{Lu}[\w ]{1,30} [>›»] \p{Lu}/u, // Home > Health
  /\b(?:read more|share this|\d+ (?:min read|comments|days ago|votes?)|posted by|published \d|all rights reserved|terms of service|privacy policy|last updated|steps to reproduce|hereby)\b.*/i,
  /\d\.\d \p{Lu}.*\d\.\d \p{Lu}/u, // 7.1 The buyer … 7.2 Complaints …
  /^Ticket #|^[A-Z]{2,}-\d+ /, // a ticket
  /\u00a0|\u200b|\u2028|\ufeff/, // characters that no keyboard gives
]

export const MAIL_HEAD =
  /^\s*(?:from|to|cc|bcc|subject|date|sent|reply-to|content-type|title|author|source|url|requester|reporter|assignee|betreff|von|an|objet|asunto|oggetto)\s*:(?!\s*be\b)/i
export const GREETING =
  /^\s*(?:dear|hi|hello|hey|hallo|liebe[rs]?|bonjour|hola|estimad[oa]s?|gentile|ciao|beste|olá|prezad[oa]s?|sehr geehrte[rs]?)(?: [\p{L} .-]{1,40})?[,:]\s*$/iu

export const OWN_BLOCK_CHARS_MAX = 3_000 // nobody types more in one go
const QUOTED_WORDS_MIN = 5 // in quotation marks: fewer are a name or a term
const QUOTATION = /["“„«]([^"“”„«»]+)["”“»]|(?<![\p{L}\p{N}])['‘]([^'‘’]+)['’](?![\p{L}\p{N}])/gu

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

const holdsQuotation = (line: string): boolean =>
  [...line.matchAll(QUOTATION)].some(
    ([, double, single]) => wordsIn(double ?? single ?? '') >= QUOTED_WORDS_MIN,
  )

/** "The ticket says: …", "He wrote: …": the words of others follow within the line. */
const TEXT =
  '(?:error|logs?|output|e-?mail|mail|message|page|article|post|ticket|comment|readme|docs?|documentation|reply|wiki)'
const SAYS = new RegExp(
  `\\b(?:the|this|that|our|his|her|their|its|an?|see) (?:\\p{L}+ )?${TEXT}\\b[^.!?:]{0,40}:\\s+\\S`,
  'iu',
)
const HE_SAYS =
  /^(?:[Hh]e|[Ss]he|[Tt]hey|(?!Who|What|Which)\p{Lu}\p{L}+) (?:says|said|wrote|writes|replied)\b[^.!?:]{0,40}:\s+\S/u

/** A label that begins two lines or more is a speaker: "Jonas: …", "Priya: …", "Jonas: …". */
const SPEAKER = /^\s*(\S[^:\n]{0,30}?)(?:\s*\([^)]*\))?\s*:\s+\S/u

export const FENCE = /^\s*(?:```|~~~)/

const isLayout = (line: string): boolean =>
  line.trim() !== '' && (line.length > OWN_BLOCK_CHARS_MAX || hasLayout(line))

const hasLayout = (line: string): boolean =>
  FENCE.test(line) ||
  GREETING.test(line) ||
  MAIL_HEAD.test(line) ||
  LAYOUT.some((sign) => sign.test(line)) ||
  SAYS.test(line) ||
  HE_SAYS.test(line) ||
  holdsQuotation(line)

/** The line above a mail. As the first line of a prompt, the person typed the line. */
const WROTE =
  /^.{0,80}\b(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|says|said|reads|states|replied|posted)\s*:\s*$/i

const columnsIn = (line: string): number => (/,\s/.test(line) ? 0 : (line.match(/,/g)?.length ?? 0))

/** Marks the lines whose layout shows a paste. */
export function layoutIn(lines: readonly string[]): readonly boolean[] {
  const speakers = lines.map((line) => SPEAKER.exec(line)?.[1])
  const columns = lines.map(columnsIn)
  const [speakersTwice, columnsTwice] = [repeatedIn(speakers), repeatedIn(columns)]
  return lines.map((line, at) => {
    const isChat = speakers[at] !== undefined && speakersTwice.has(speakers[at])
    const isTable = (columns[at] ?? 0) > 1 && columnsTwice.has(columns[at] ?? 0)
    return isChat || isTable || isLayout(line) || (at > 0 && WROTE.test(line))
  })
}

function repeatedIn<T>(list: readonly T[]): ReadonlySet<T> {
  const seen = new Set<T>()
  return new Set(list.filter((item) => seen.has(item) || !seen.add(item)))
}
