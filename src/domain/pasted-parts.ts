import { foldText } from './fold-text.ts'
import { sentencesOf } from './sentences.ts'

const PROMPT_CHARS_MAX = 20_000 // of one prompt; the rest of a longer prompt is most likely pasted

const FENCE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g
const QUOTED_LINE = /^[ \t]*[>|].*$/gm

/** Lines that begin the words of another author: everything behind such a line is theirs. */
const FOREIGN_FROM = [
  // the head of a mail
  /^[ \t*]*(?:from|to|cc|bcc|sent|subject|date|reply-to|von|an|betreff|gesendet|datum|de|à|a|objet|envoyé|asunto|para|enviado)[ \t*]*:[ \t*].*\n[ \t*]*(?:from|to|cc|bcc|sent|subject|date|reply-to|von|an|betreff|gesendet|datum|de|à|a|objet|envoyé|asunto|para|enviado)[ \t*]*:/imu,
  /^[ \t]*(?:from|von|de)[ \t]*:.*@.*$/imu,
  // the line that mail programs put above a mail
  /^[ \t]*(?:--|__|==|begin)[^\n]{0,200}(?:forwarded|original|weitergeleitet|ursprüngliche|transféré|reenviado)/imu,
  /^[ \t]*(?:fwd?|wg|tr|rv):/imu,
  /^.*(?:\bwrote|\bschrieb|\ba écrit|\bescribió)[^\n]{0,60}:[ \t]*$/imu,
]

/** A request to work on a text, which then follows: "Summarise this chat:", "Fix the text below." */
const ANNOUNCES_TEXT =
  /(?<!\p{L})(?:translat|proofread|summari[sz]|rephras|reword|rewrit|paraphras|correct|edit|polish|shorten|review|improve|fix|format|analy[sz]|classif|reply to|respond to|answer this|uberset|korrigier|traduis|traduc|corrig|resum)\p{L}*(?!\p{L})/u
const POINTS_AHEAD =
  /:\s*$|(?<!\p{L})(?:following|below|folgende\p{L}*|suivante?s?|siguientes?)(?!\p{L})/u

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
const CHAT_HANDLE = /^[ \t]*<[\p{L}\p{N}_.@-]+>[ \t]+\S.*$/gmu
const TIMED_LINE =
  /^[ \t]*[[(]?\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?[\])]?[ \t,–-]*\S[^\n]*$/gimu
const SPEAKER_LINE =
  /^[ \t*<[@]*(\p{Lu}[\p{L}\p{M}.'-]*(?: \p{Lu}[\p{L}\p{M}.'-]*)?|\p{L}+[\d_]+)[\]>*]*(?: \([^)\n]*\))?[ \t]*:[ \t*]+(\S[^\n]*)$/gmu
const SPEAKER_ROLE =
  /^[ \t*<[]*(?:user|assistant|human|ai|bot|system|customer|agent|client|interviewer|speaker|q|a)[ \t\]>*]*\d*:.*$/gimu
const SPEAKS =
  /(?<!\p{L})(?:i|i'm|i've|i'd|i'll|my|me|mine|we|we're|our|us|you|ich|mein\p{L}*|wir|je|j'\p{L}+|mon|ma|nous|yo|mi)(?!\p{L})/u

/** Speech in quotation marks, of three words or more; shorter ones are mostly names. */
const SPEECH =
  /["“”„«»][^"“”„«»\n]*["“”„«»]|(?<![\p{L}\p{N}])['‘‚](?=\S)[^\n]{1,400}?(?<=\S)['’](?![\p{L}\p{N}])/gu
const SPEECH_WORDS_MIN = 3

/** A letter, with its greeting and its closing on lines of their own. */
const GREETING =
  /^[ \t]*(?:hi|hello|hey|dear|hallo|liebe[rs]?|guten tag|bonjour|cher|chère|hola|estimad[oa])(?: [^\n,]{1,40})?,[ \t]*$/imu
const CLOSING =
  /^[ \t]*(?:(?:kind|best|warm|many) )*(?:regards|best|wishes|cheers|sincerely|yours|love|thanks|mfg|viele grüße|liebe grüße|cordialement|saludos)(?:[ ,][^\n]{0,40})?$/imu

const blank = (text: string): string => text.replace(/[^\n\r]/g, ' ')

/**
 * The prompt with blanks in place of words that are not the person's own: fences, quoted lines,
 * mails, chats, quoted speech and announced texts. Positions stay as they are in the prompt.
 */
export function withoutPastes(text: string): string {
  const own = text
    .slice(0, PROMPT_CHARS_MAX)
    .replace(FENCE, blank)
    .replace(QUOTED_LINE, blank)
    .replace(TIMED_LINE, (line) => (/\p{L}.*:/u.test(line) ? blank(line) : line))
    .replace(SPEAKER_ROLE, blank)
    .replace(CHAT_HANDLE, blank)
    .replace(SPEAKER_LINE, (line, label: string, said: string) =>
      isOtherSpeaker(label, said) ? blank(line) : line,
    )
    .replace(SPEECH, (said) => (wordCount(said) >= SPEECH_WORDS_MIN ? blank(said) : said))
  const end = Math.min(foreignStart(own), announcedStart(own))
  return own.slice(0, end) + blank(own.slice(end))
}

const wordCount = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/** "Bob: I live in Oslo" is a chat; "Deploys: Tuesdays only" and "Note: I live in Oslo" are remarks. */
const isOtherSpeaker = (label: string, said: string): boolean =>
  !isOwnLabel(label) && SPEAKS.test(foldText(said))

/** A person's own remark follows the label, not the words of another author. */
export function isOwnLabel(label: string): boolean {
  const folded = foldText(label).replace(/[.]/g, '').trim()
  return OWN_LABELS.has(folded) || (OWN_ANNOUNCEMENT.test(folded) && !FROM_OTHERS.test(folded))
}

function foreignStart(text: string): number {
  const marks = CLOSING.test(text) ? [...FOREIGN_FROM, GREETING] : FOREIGN_FROM
  const starts = marks.map((mark) => mark.exec(text)?.index ?? text.length)
  return Math.min(...starts)
}

function announcedStart(text: string): number {
  const found = sentencesOf(text).find((sentence) => {
    const folded = foldText(sentence.text)
    if (ANNOUNCES_TEXT.test(folded) && POINTS_AHEAD.test(folded)) return true
    return sentence.text.endsWith(':') && !isOwnLabel(sentence.text.slice(0, -1))
  })
  return found?.end ?? text.length
}
