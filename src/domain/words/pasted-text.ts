import { FENCE, GREETING, layoutIn, MAIL_HEAD, OWN_BLOCK_CHARS_MAX } from './paste-layout.ts'
import { foldText } from './terms.ts'

/** A prompt in two parts: typed by the person, and brought in from elsewhere. */
interface SplitPrompt {
  /** The person's own sentences; empty where the whole prompt may be pasted. */
  readonly own: string
  /** The pasted lines; null where there are none. */
  readonly pasted: string | null
}

const BLOCK_CHARS_MAX = 700 // a longer block without a first person is another author's text
const HEAD_CHARS_MAX = 100 // of a typed line that stands before a paste or behind it

const FIRST_PERSON =
  /(?<![\p{L}])(?:i['’](?:m|d|ve|ll)|me|my|mine|we|we['’](?:re|d|ve|ll)|us|our|ours|ich|mir|mich|mein\p{L}*|wir|uns|unser\p{L}*|je|j['’]\p{L}+|moi|mon|ma|mes|nous|notre|yo|mis?|nuestr[oa]|quiero|necesito|tengo|prefiero|io|mi[oa]|vorrei|ho|eu|meu|minha|quero|preciso|prefiro|ik|mij|mijn|wij|ons|onze|jag|vi|minä|ja|mnie|mój|moj\p{L}*|nas|nam|nasz\p{L}*|chcę|potrzebuję|mam|я|мне|меня|мо[йяёеи]\p{L}*|мы|нам|нас|наш\p{L}*|ben|bana|beni\p{L}*|biz\p{L}*|\p{L}+(?:iyorum|ıyorum|uyorum|üyorum))(?![\p{L}])|[我私僕俺]|うち[のはがで]|お願い/iu

const ENGLISH_I = /(?<!\p{L})i(?!\p{L})/iu
const ENGLISH =
  /(?<!\p{L})(?:the|and|is|my|it|you|of|for|that|this|with|have|want|need|am|like|can)(?!\p{L})/iu

/** In Polish "i" joins words, in Italian it stands before a noun. */
const hasFirstPerson = (text: string): boolean =>
  FIRST_PERSON.test(text) || (ENGLISH_I.test(text) && ENGLISH.test(text))

/** Words by which a typed line names a text that stands beside the line. */
const TEXTS = [
  'e-?mails?|mails?|messages?|letters?|sms|texts?|tweets?|chats?|channel|slack|irc|threads?|transcripts?|comments?',
  'articles?|pages?|posts?|paragraphs?|abstracts?|stor(?:y|ies)|poems?|lyrics|recipes?|quotes?|leaflets?|brochures?',
  'ads?|adverts?|offers?|listings?|contracts?|clauses?|terms|licen[cs]es?|polic(?:y|ies)|proposals?|invoices?|statements?|announcements?',
  'docs?|documents?|documentation|readme|wiki|manual|guide|tutorial|runbook|spec|changelog|notes|minutes|reports?|forum|site|blog',
  'tickets?|issues?|errors?|logs?|output|trace|snippets?|code|\\w*files?|config\\w*|json|yaml|csv|html|query|diff|export|header|record|table|setup|settings',
  'answers?|reply|replies|response|results?|line|stuff',
  'nachricht|brief|anzeige|vertrag|klausel|artikel|absatz|protokoll|fehlermeldung|lettre|texte|annonce|contrat|texto|correo|mensaje|carta|anuncio|noticia|testo|messaggio|lettera|articolo|mensagem|artigo|tekst|bericht|wiadomość',
].join('|')
const of = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'iu')

const NAMES_TEXT = of(`(?<!\\p{L})(?:${TEXTS})(?!\\p{L})`)
/** A typed line that can only speak of a text beside it. */
const POINTS_AT_TEXT = of(
  `\\b(?:this|these|that|following|below|attached|their|his|her) (?:\\w+ )?(?:${TEXTS}|customer|client|guest|patient|applicant)\\b`,
  `\\b(?:found|got|gave|received|read|copied|pasted|sent|wrote|came in|from)\\b.*\\b(?:${TEXTS}|this|it|today|yesterday|me)\\b`,
  `\\b(?:${TEXTS})\\b.*\\b(?:from|by|received|sent)\\b`,
  `\\b(?:${TEXTS}|here|below|following|says|said|wrote|writes|states|reads|told|dit ceci|steht|fact-?check)\\b(?:[^.!?]|\\.\\w)*:\\s*$`,
  `^(?:please )?(?:explain|review|check|improve|rate) (?:the|my|our) (?:\\w+ )?(?:${TEXTS})\\W*$`,
  '\\b(?:says|said|prints|returns|shows|wrote|gives)\\s*$',
  '\\b(?:summari[sz]e|tl;?dr|translate|proofread|rephrase|paraphrase|shorten|minutes of|see below)\\b',
  '\\b(?:is|does|do|can) (?:this|that|it|they)\\b.*\\b(?:legit|true|right|correct|accurate|spam|real|safe|good|make sense|mean|valid)\\b',
  '\\bwhat (?:does|do|is|are) (?:this|that|these|it|you (?:think|make))\\b',
  "\\bhere(?:’s|'s| is| are) (?:the|a|an|what)\\b",
  'übersetz|fasse|zusammen|kürzer|antworte|traduis|résume|corrige|traduce|resum[eai]|llegó|traduci|rispondere|riassumi|vertaal|traduz|翻译|总结|说明|翻訳|要約|文章',
)
/** "Can you explain that?", "Thoughts?" and "What is the main point?" need a text beside them. */
const NEEDS_TEXT =
  /(?<!\p{L})(?:this|that|these|those|it|below|here|thoughts|main point|pros and cons|extract|das|dies\p{L}*|ça|ceci|esto|questo|dit|isto|这|これ|この)(?!\p{L})|^(?:please )?(?:explain|review|check|fix|convert|fyi)\P{L}*(?:please)?\P{L}*$/iu
const PROSE_CHARS_MIN = 60
const PROSE = /(?:[^\s\d]|\d\d)[.!。].*(?:[^\s\d]|\d\d)[.!。]/su
/** "Write a mail to the landlord": the rest of the line describes the mail. */
const MAKES_TEXT =
  /^(?:please )?(?:write|draft|create|compose|add|make)\b(?!.*\b(?:this|that|these)\b)/iu

/** Announced, but the person's own: a list of wishes. */
const OWN_LIST =
  /\b(?:i|we)(?:['’]d)? (?:want|need|would like|like|expect|prefer|decided|think|know|see|have)\b[^.!?]*:\s*$|\b(?:please|do|make sure|requirements?|goals?|steps?|questions?|rules?|todo|wishes|points|things|plan)\b[^.!?]*:\s*$/i

/**
 * Splits a prompt into typed lines at its beginning and end, and the paste between. A paste shows by its
 * layout, or by a typed line that speaks of a text. In doubt words are pasted: a person can confirm them later.
 */
export function splitPrompt(text: string): SplitPrompt {
  const lines = text.split(LINE_END)
  const paste = pastedLines(lines)
  if (paste === null) return { own: text, pasted: null }
  const [before, pasted, after] = [
    lines.slice(0, paste.from),
    lines.slice(paste.from, paste.to),
    lines.slice(paste.to),
  ].map((part) => part.join('\n')) as [string, string, string] // three parts of three slices
  const note = `[pasted: ${pasted.length} characters]`
  const parts = [before, note, after].filter((part) => part.trim() !== '')
  return { own: /[\p{L}\p{N}]/u.test(before + after) ? parts.join('\n') : '', pasted }
}

const LINE_END = /\r\n|\r|\n/

/** The text with blanks in place of pasted lines, so positions stay. */
export function withoutPastedLines(text: string): string {
  const paste = pastedLines(text.split(LINE_END))
  if (paste === null) return text
  const lines = text.split(/(?<=\r\n|\r(?!\n)|\n)/)
  return lines.map((line, at) => (isWithin(paste, at) ? blank(line) : line)).join('')
}

const blank = (text: string): string => text.replace(/[^\n\r]/g, ' ')

/** From the first pasted line up to the first typed line behind. */
interface PastedLines {
  readonly from: number
  readonly to: number
}

const isWithin = ({ from, to }: PastedLines, at: number): boolean => at >= from && at < to

function pastedLines(lines: readonly string[]): PastedLines | null {
  const signs = signsIn(lines)
  const [first, last] = [signs.indexOf(true), signs.lastIndexOf(true)]
  if (first < 0) return null
  // A person who fences a paste says where the paste ends.
  const fenced = fencedLines(lines)
  const isFenced = signs.every((sign, at) => !sign || fenced[at])
  if (isFenced) return { from: first, to: last + 1 }
  const to = tailOf(lines, last)
  return { from: headOf(lines, { first, hasTail: to < lines.length }), to }
}

function signsIn(lines: readonly string[]): boolean[] {
  const signs = [...layoutIn(lines)]
  // "Hi Claude," and a wish begin a prompt; a greeting and a closing are a letter.
  const opening = lines.slice(1).find((line) => line.trim() !== '') ?? ''
  if (GREETING.test(lines[0] ?? '') && /^(?:please|bitte|can you|could you)/i.test(opening))
    signs[0] = false
  markLongBlocks(lines, signs)
  markPointedAt(lines, signs)
  // A fence that nobody closes reaches to the end.
  const fences = lines.flatMap((line, at) => (FENCE.test(line) ? [at] : []))
  if (fences.length % 2 === 1) signs.fill(true, fences.at(-1))
  return signs
}

/** Marks the lines of fenced blocks, with the fences. */
function fencedLines(lines: readonly string[]): readonly boolean[] {
  let isOpen = false
  return lines.map((line) => {
    const isFence = FENCE.test(line)
    if (isFence) isOpen = !isOpen
    return isFence || isOpen
  })
}

function markLongBlocks(lines: readonly string[], signs: boolean[]): void {
  let from = 0
  for (let at = 0; at <= lines.length; at += 1) {
    if (at < lines.length && lines[at]?.trim() !== '') continue
    const block = lines.slice(from, at).join('\n')
    const isLong = block.length > BLOCK_CHARS_MAX && !hasFirstPerson(block)
    if (isLong || block.length > OWN_BLOCK_CHARS_MAX) signs.fill(true, from, at)
    from = at + 1
  }
}

const isShort = (line: string): boolean => line.length <= HEAD_CHARS_MAX

/** "Is this article accurate?" above a text, or "How long does it bake?" below. */
function markPointedAt(lines: readonly string[], signs: boolean[]): void {
  const [head, ...rest] = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]))
  const tail = rest.at(-1)
  if (head === undefined || tail === undefined) return
  const [above, below] = [lines[head] ?? '', lines[tail] ?? '']
  const isAbove = !signs[head] && pointsAt(above, lines.slice(head + 1))
  if (isAbove) signs.fill(true, rest[0], rest.length > 1 && isTyped(lines, tail) ? tail : tail + 1)
  const text = lines.slice(0, tail).join('\n')
  const isApart = lines[tail - 1]?.trim() === '' || ASKS.test(below)
  const isAsked = isOwnLine(below) && isShort(below) && (isApart || NEEDS_TEXT.test(below))
  const isBelow =
    isAsked && widthOf(text) > HEAD_CHARS_MAX && isProse(text) && !hasFirstPerson(text)
  if (!signs.includes(true) && isBelow) signs.fill(true, 0, tail)
}

/** The typed line speaks of a text, announces one in any language, or needs one and stands above one. */
function pointsAt(line: string, below: readonly string[]): boolean {
  const text = below.join('\n')
  if (!isShort(line) || OWN_LIST.test(line)) return false
  if (POINTS_AT_TEXT.test(line)) return true
  if (ANNOUNCES.test(line))
    return !isOwnLabel(line.replace(ANNOUNCES, '')) && !isOwnList(line, below)
  if (MAKES_TEXT.test(line) || hasFirstPerson(text)) return false
  const isNamed = NAMES_TEXT.test(line) && (isProse(text) || text.trim().split(/\n+/).length > 2)
  return isNamed || (NEEDS_TEXT.test(line) && isProse(text)) || isHeading(line, below)
}

const ANNOUNCES = /\s*[:：]\s*$/u
const LIST_ITEM = /^\s*(?:[-*•–]|\d{1,2}[.)])\s+\S/u
const SENTENCE_END = /[.!。！](?=\s|$)|。/u

/** "I want:" above a list is a wish in any language; above other lines it may announce a text. */
const isOwnList = (line: string, below: readonly string[]): boolean =>
  hasFirstPerson(line) &&
  below.every(
    (each) =>
      each.trim() === '' ||
      (LIST_ITEM.test(each) && !SENTENCE_END.test(each.replace(LIST_ITEM, ''))),
  )

/** A question or a bare phrase in another language, above lines of a text. */
function isHeading(line: string, below: readonly string[]): boolean {
  // For English the words above tell more than the shape does.
  if (ENGLISH.test(line)) return false
  const text = below.join('\n')
  const isBare = ASKS.test(line) || !(/[.!,;。！、]\s*$/u.test(line) || hasFirstPerson(line))
  const isLines = below.filter((each) => each.trim() !== '' && !LIST_ITEM.test(each)).length > 1
  return isBare && (isProse(text) || isLines)
}

const isProse = (text: string): boolean => widthOf(text) >= PROSE_CHARS_MIN && PROSE.test(text)

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** A character of a syllabary says as much as two or three letters. */
const widthOf = (text: string): number => text.length + 2 * (text.match(WIDE)?.length ?? 0)

/** The paste begins behind the typed lines before its first sign. */
function headOf(
  lines: readonly string[],
  { first, hasTail }: { readonly first: number; readonly hasTail: boolean },
): number {
  let from = 0
  for (let at = 0; at < first; at += 1) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    // The first line is typed, unless the person typed only the last.
    const isFirst = from === 0 && (!hasTail || NAMES_TEXT.test(line) || ANNOUNCES.test(line))
    if (!isFirst && !isOwnLine(line) && !POINTS_AT_TEXT.test(line)) break
    from = at + 1
  }
  return from
}

/** Lines behind the last sign that the person typed: "Is that spam? I think so." */
function tailOf(lines: readonly string[], last: number): number {
  const body = MAIL_HEAD.test(lines[last] ?? '') ? endOfBody(lines, last) : last
  let to = lines.length
  for (let at = lines.length - 1; at > last; at -= 1) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    if (!isTyped(lines, at) || (at < body && !ASKS.test(line))) break
    to = at
    if (lines[at - 1]?.trim() !== '') break
  }
  return to
}

/** The first block below the head of a mail is the mail. */
function endOfBody(lines: readonly string[], head: number): number {
  const start = lines.findIndex((line, at) => at > head && line.trim() !== '')
  const end = lines.findIndex((line, at) => at > start && line.trim() === '')
  return start < 0 || end < 0 ? lines.length : end
}

const CLOCK = /\d{1,2}:\d{2}/
const ASKS = /[?？]\s*$/u
const REQUEST =
  /^(?:please )?(?:fix|explain|check|convert|translate|summari[sz]e|write|make|rewrite|shorten|list|tell me|draft|answer|review|look|find|how(?! to)|what|why|which|who|where)\b/i

/** A line by which a person asks for something or speaks of themselves. */
const isOwnLine = (line: string): boolean =>
  ASKS.test(line) || hasFirstPerson(line) || (isShort(line) && REQUEST.test(line))

const SPEAKS_FIRST = /^(?:i|i['’]\p{L}+|my|ich|mein\p{L}*|je|yo|mi|io|ik)(?!\p{L})/iu

/** Behind a paste only a short line is the person's, since a text may end in the voice of a person. */
function isTyped(lines: readonly string[], at: number): boolean {
  const [line = '', before = ''] = [lines[at], lines[at - 1]]
  if (!isShort(line)) return false
  if (before.trim() === '' || ASKS.test(line)) return isOwnLine(line)
  return REQUEST.test(line) || (SPEAKS_FIRST.test(line) && !CLOCK.test(before))
}

const PROMPT_CHARS_MAX = 20_000 // of one prompt; the rest of a longer prompt is most likely pasted

/** Labels by which people begin a remark of their own. */
const OWN_LABELS = new Set(
  'note notes ps fyi reminder update correction important context info background fact btw remember edit also answer me myself preference preferences decision rule todo summary hint bonus heads-up warning disclaimer'.split(
    ' ',
  ),
)
/** Words by which a person announces remarks of their own: "One more thing:", "Note this:". */
const OWN_ANNOUNCEMENT =
  /(?<!\p{L})(?:notes?|remember|reminder|remind|fyi|mind|save|store|learn|know|rules?|decisions?|decided|preferences?|facts?|about (?:me|us)|my|our|i|we|things?|way|record|clear|short|context|info|updates?|answers?|important|also|btw|ps|merk\p{L}*|notier\p{L}*|note[zr]?|recuerda|nota)(?!\p{L})/u
const FROM_OTHERS =
  /(?<!\p{L})(?:sent|wrote|writes|says|said|from|received|got|posted|replied|answered|told|by|found|copied|pasted|lyrics|quote|transcript|log|logs|output|example|user story)(?!\p{L})/u
const SPEAKER_LINE =
  /^[ \t*<[@]*(\p{Lu}[\p{L}\p{M}.'-]*(?: \p{Lu}[\p{L}\p{M}.'-]*)?|\p{L}+[\d_]+)[\]>*]*(?: \([^)\n]*\))?[ \t]*:[ \t*]+(\S[^\n]*)$/gmu
const SPEAKS =
  /(?<!\p{L})(?:i|i'm|i've|i'd|i'll|my|me|mine|we|we're|our|us|you|ich|mein\p{L}*|wir|je|j'\p{L}+|mon|ma|nous|yo|mi)(?!\p{L})/u

/** Speech in quotation marks, of three words or more; shorter ones are mostly names. */
const SPEECH =
  /["“”„«»][^"“”„«»\n]*["“”„«»]|(?<![\p{L}\p{N}])['‘‚](?=\S)[^\n]{1,400}?(?<=\S)['’](?![\p{L}\p{N}])/gu
const SPEECH_WORDS_MIN = 3

/**
 * The prompt with blanks in place of other authors' words: pastes, chats and quoted speech.
 * Positions stay as in the prompt.
 */
export const withoutPastes = (text: string): string =>
  withoutPastedLines(text.slice(0, PROMPT_CHARS_MAX))
    .replace(SPEAKER_LINE, (line, label: string, said: string) =>
      isOtherSpeaker(label, said) ? blank(line) : line,
    )
    .replace(SPEECH, (said) => (wordCount(said) >= SPEECH_WORDS_MIN ? blank(said) : said))

const wordCount = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/** "Bob: I live in Oslo" is a chat; "Deploys: Tuesdays only" and "Note: I live in Oslo" are remarks. */
const isOtherSpeaker = (label: string, said: string): boolean =>
  !isOwnLabel(label) && SPEAKS.test(foldText(said))

/** A person's own remark follows the label, not the words of another author. */
export function isOwnLabel(label: string): boolean {
  const folded = foldText(label).replace(/[.]/g, '').trim()
  return OWN_LABELS.has(folded) || (OWN_ANNOUNCEMENT.test(folded) && !FROM_OTHERS.test(folded))
}
