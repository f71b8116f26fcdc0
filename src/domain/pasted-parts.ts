import { foldText } from './fold-text.ts'
import { blank, withoutPastedLines } from './split-prompt.ts'

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
