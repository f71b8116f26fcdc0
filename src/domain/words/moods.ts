import { once } from '../errors.ts'
import { foldText } from './terms.ts'

/** A way to say words without plainly asserting them. */
export type Mood =
  | 'condition'
  | 'wish'
  | 'want'
  | 'plan'
  | 'report'
  | 'joke'
  | 'past'
  | 'options'
  | 'request for a text'
  | 'request to check'
  | 'example'
  | 'fiction'
  | 'whole denial'
  | 'near denial'
  | 'ended'
  | 'exclusion'
  | 'approximation'
  | 'another one'

/** A careful reading (for quotes) counts more words as markers than a plain reading (for `why`). */
export type Reading = 'plain' | 'careful'

interface MoodRow {
  readonly mood: Mood
  /** Patterns of whole words in folded text. */
  readonly words: readonly string[]
  /** Words that are markers in a careful reading only, because honest statements hold them often. */
  readonly careful?: readonly string[]
}

/** A form of "to be" with its subject, as in "it's" and "that was". */
const IT_IS = "(?:it|that|this)(?:'s| is| was)(?: just| simply| clearly)?"
const TEXT_VERB =
  '(?:translat|paraphras|rephras|reword|rewrit|proofread|summari[sz]|transcrib|recit|spell)\\w*'
const POLITE =
  "(?:(?:please|and|now|then|ok|okay|so|hey|can you|could you|would you|will you|i need you to|i want you to|help me|let's) )*"
const TEXT_KIND =
  '(?:story|poem|song|novel|tale|scene|dialog(?:ue)?|script|essay|letter|e-?mail|mail|post|tweet|ad|advert|bio|blurb|slogan|message|reply|answer|text|article|speech|joke|sentence|paragraph|caption|headline|review|profile|press release)s?'

/** A beginning that lies ahead: "from 2027 on", "as of June". */
const LATER =
  '(?:from|as of|starting(?: in| on)?) (?:\\d{4}|next|tomorrow|january|february|march|april|may|june|july|august|september|october|november|december)'

/** Each row names one mood. A sentence in a mood that the memory lacks does not state the memory. */
const MOOD_ROWS: readonly MoodRow[] = [
  // The words hold only if something else is so.
  {
    mood: 'condition',
    words: [
      'if',
      'unless',
      'when|whenever',
      '(?:only|except|but|and) (?:when|after|once|while|with)',
      '(?:provided|providing|given|supposing|assuming)(?: that)?(?= (?:the|a|an|my|our|we|i|he|she|they|it|you|that|\\p{L}+ (?:is|are|has|says|agrees|signs|\\p{L}+s)))',
      '(?:as|so) long as',
      'in case',
      'on (?:the )?condition',
      'in the event',
      'depend(?:s|ing)? on',
      'subject to',
      'contingent',
      'otherwise',
      'once (?:the|a|my|our|we|i|he|she|they|it|you)',
      'until|till',
      'wenn|falls|sofern|es sei denn|solange',
      "a condition que|a moins que|s'ils?|si (?:je|j|tu|on|nous|vous|le|la|les|mon|notre)",
      'a menos que|siempre que|si (?:el|los|yo|mi|no|tengo|puedo)',
    ],
    careful: ['pending', 'as soon as', 'then'],
  },
  // The person wants the words to be true.
  {
    mood: 'wish',
    words: [
      'wish(?:es|ed|ing)?',
      'hop(?:e|es|ed|ing)',
      'hopefully',
      "(?:would|'d) (?:love|like|prefer|hate|want|be (?:great|nice|good|lovely|cool|happy)) to",
      "(?:would|'d) (?:be|have been) (?:great|nice|good|lovely|cool|wonderful|perfect|ideal|better)",
      "(?:would|'d) rather",
      'dream(?:s|t|ed|ing)?',
      'long(?:s|ed|ing)? (?:to|for)',
      'want(?:s|ed|ing)? (?:[\\p{L}-]+ ){0,3}to',
      'some ?day|one day',
      'if only',
      'ideally',
      'ich (?:wurde gern|mochte gern|wunschte)|hoffentlich|schon ware',
      "j'aimerais|je voudrais|j'espere|ojala|me gustaria|espero",
    ],
    careful: ["would|'d"],
  },
  // A person likes or needs the words to be true; whoever wants a thing may lack the thing.
  {
    mood: 'want',
    words: [
      'wants?|wanted|prefers?|preferred|preference|needs?|needed|likes?|liked|loves?|enjoys?|favou?rites?|requires?|asks? for|asked for|expects?|craves?|dislikes?|hates?',
    ],
  },
  // The words may come true later.
  {
    mood: 'plan',
    words: [
      'plan(?:s|ned|ning)? (?:to|on)',
      'intend(?:s|ed|ing)?',
      '(?:think|thinks|thinking|thought) (?:of|about)',
      'consider(?:s|ed|ing)?',
      'almost|nearly',
      'about to',
      'next (?:week|month|quarter|year|spring|summer|autumn|fall|winter|time)|in (?:the )?future|from (?:tomorrow|next)',
      `${LATER} .*(?:will|'ll)|(?:will|'ll) .*${LATER}`,
      'tempted to',
      'try(?:ing)? to|tries to|tried to',
      'should|could|ought to',
      "(?:would|'d)(?! (?:like|prefer|love|appreciate))",
    ],
    careful: ["will|'ll|won't|shall", 'going to', 'eventually', 'soon', 'may|can'],
  },
  // Words of another person or of a text.
  {
    mood: 'report',
    words: [
      'told|tells?|telling',
      'said|says?|saying',
      'claim(?:s|ed|ing)',
      'thinks|believes|believed|assumes|reckons|suspects',
      'heard|hears|overheard',
      'mention(?:s|ed)|wrote|writes|states|stated|announced|insist(?:s|ed|ing)|argu(?:es?|ed|ing)|suggest(?:s|ed|ing)|swears|swore|swearing|pretends?|pretended|promis(?:ed|ing)|accused|accuses|propos(?:ed|es|ing)|recommends|recommended|demands|demanded|requested',
      'reads|read (?:that|somewhere)',
      'according to',
      'rumou?rs?|gossip|hearsay',
      'allegedly|reportedly|supposedly|apparently|so-called',
      '(?:is|are|was|were|am|be|been) (?:said|believed|thought|supposed|rumou?red|reported|considered) to',
      '(?:everyone|everybody|people|someone|somebody|they|he|she) (?:think|thinks|know|knows|say|says|keep|keeps|assume|assumes)',
      'in (?:his|her|their|your|its) (?:opinion|view|words|eyes)',
      'quot(?:e|es|ed|ing)',
      'sagt|sagte|meint|meinte|behauptet|laut|angeblich',
      "selon|d'apres|dit que|parait-il|segun|dice que|dijo|dicen",
    ],
    careful: [
      'asked|asks',
      'knows',
      'wants me',
      'called me',
      'per',
      '^(?:in|on) (?:the|their|his|her|this|that|a|your)(?: \\p{L}+)? (?:deck|slides?|brochure|wiki|readme|docs?|documentation|ticket|spec|article|book|e-?mail|mail|news|paper|diagram|form|profile|calendar|log|report|manual|website|page|chart|contract)',
      '(?:deck|slides?|brochure|wiki|readme|docs?|documentation|ticket|spec|diagram|form|profile|calendar|log|report|manual|website|page|chart|badge|invoice|label) (?:lists?|listed|shows?|showed|has|had|gives|gave|names|displays|spells|prints)',
    ],
  },
  // The person signals that the words are not meant.
  {
    mood: 'joke',
    words: [
      'joke|jokes|joking|kidding|jk|j/k|lol|lmao|rofl|ha(?:ha)+|ha ha|hehe|sarcasm|sarcastic|irony|ironically',
      '(?:yeah|yea|yes|oh|ah),? (?:right|sure|great|of course|wonderful|joy|totally)',
      'sure,? because',
      'as if',
      'april fools?',
      'would(?:n.t)? you believe|who would have thought|what a surprise',
      'scherz|spass|blague|rigole|broma',
    ],
    careful: ['totally', 'obviously', 'of course'],
  },
  // The words were true once.
  {
    mood: 'past',
    words: [
      "(?<!(?:am|is|are|was|were|be|get|got|'m|'re|getting) )used to",
      'formerly|previously|originally|once upon|in the past|back then|back in|at the time|at that time|in those days|(?:in )?the old days|historically|erstwhile|initially',
      'former|ex',
      '(?:until|till|before|up to) (?:last|recently|yesterday|then|this|\\d{4}|\\p{L}+ last|january|february|march|april|june|july|august|september|october|november|december)',
      '(?:when|while|as) (?:i|we) (?:was|were)',
      'as a (?:child|kid|student|teenager|boy|girl)',
      'fruher|ehemals|damals|ehemalige[rn]?',
      'autrefois|avant|antes|solia',
    ],
    careful: [
      'ago',
      'years? back',
      '(?:was|were|had been) once|once (?:was|were|had)',
      'already',
      'last (?:year|month|week|summer|winter|spring|autumn)',
    ],
  },
  // Several possibilities, of which the words are one.
  {
    mood: 'options',
    words: [
      'or',
      'either',
      'options?|alternatives?|candidates?|possibilit(?:y|ies)|shortlist',
      'vs|versus',
      'pros and cons',
      'oder|entweder',
    ],
  },
  // The person asks for a text that holds the words.
  {
    mood: 'request for a text',
    words: [
      `^${POLITE}${TEXT_VERB}`,
      `^${POLITE}(?:fix|correct|improve|check|polish|shorten|edit|review|format)(?!\\p{L})[^:]*:`,
      `^${POLITE}(?:print|echo|repeat|say|explain|quote|reply with|answer with|respond with|role-?play|act as|describe)`,
      `^${POLITE}(?:write|draft|compose|generate|create|make|make up|invent|produce|give me|tell me|tell|send|finish|continue|complete|put|type|add|insert)(?: me| us| up)? (?:a|an|another|some|the|this|my|our|two|three|\\d+)(?: [\\p{L}-]+){0,3} ${TEXT_KIND}`,
      `^${POLITE}(?:write|draft|compose)(?: me| us)?(?: down)?:?(?= (?:a|an|that|something|about|how|to)(?!\\p{L}))`,
      'in which (?:i|we|my|our)|that (?:says|reads|states|goes|claims)|saying (?:that|i|we)|titled|the (?:phrase|sentence|words|line|string|text)',
      'how (?:do|would|can|should|to) (?:you|i|one|we)? ?(?:say|spell|pronounce|write)',
      '(?:ubersetze?|schreibe?)|(?:traduis|traduisez|ecris)|(?:traduce|escribe)',
    ],
  },
  // The person asks to find out if the words are true.
  {
    mood: 'request to check',
    words: [
      `^${POLITE}(?:check|verify|confirm|find out|look up|test|see|prove|determine|guess|remind me|ask|make sure|ensure|double-check)`,
      '(?:wonder|wondering|curious|unsure|check|verify|remember|know|see|sure) (?:if|whether)',
      'is it (?:true|correct|right|possible)',
    ],
  },
  // The words illustrate something.
  {
    mood: 'example',
    words: [
      'e\\.g|eg|for example|for instance|examples?|sample|placeholder|dummy|lorem|foo|template|such as when',
      'something like|along the lines of|things like',
      'z\\. ?b|zum beispiel|beispiel|par exemple|por ejemplo',
    ],
  },
  // The words belong to a world that the person made up.
  {
    mood: 'fiction',
    words: [
      "pretend(?:s|ing)?|imagin(?:e|es|ed|ing)|suppose|supposing|let's (?:say|assume|pretend)|hypothetical(?:ly)?|what if|theoretically|in theory|fictional|fiction",
      '(?:in|for) (?:the|my|our|a|this) (?:story|novel|book|game|film|movie|play|dream|scenario|exercise|test(?! (?:network|environment|database|server|cluster|suite|system|stack|account|project))|example|quiz|riddle|screenplay|campaign)',
      'character|protagonist|persona|role-?play',
      'stell dir vor|angenommen|imagine que|imagina|supongamos|supposons',
    ],
  },
  // The person denies the words as a whole.
  {
    mood: 'whole denial',
    words: [
      "(?:not|n't|hardly|never) (?:\\p{L}+ )?(?:true|correct|right|accurate|the case|so) (?:that|when|to say)",
      `${IT_IS}n't (?:true|so|right|correct)`,
      '(?:false|untrue|incorrect|wrong|nonsense|absurd|ridiculous|impossible|unthinkable) (?:that|to (?:say|think|claim|assume))',
      '(?:a|the|an|pure|old) (?:\\p{L}+ )?(?:myth|lie|misconception|mistake|error|fallacy|legend|misunderstanding|rumou?r|invention|illusion|hoax)',
      "(?:do|does|did)(?:n't| not) (?:think|believe|say|mean|claim)",
      'never (?:said|claimed|meant|wanted|told)',
      'den(?:y|ies|ied)|disput(?:e|es|ed)|contrary to|the opposite|no way|by no means|not at all|in no way|under no circumstances|out of the question|no truth',
      'against|oppos(?:e|es|ed)|reject(?:s|ed)?|prevent(?:s|ed)?|forbid(?:s|den)?|forbade|bann?(?:s|ed)?|prohibit(?:s|ed)?|ruled out|vetoed',
      'stimmt nicht|nicht wahr|pas vrai|faux que|no es (?:verdad|cierto)|falso que',
    ],
  },
  // The words are hardly true.
  {
    mood: 'near denial',
    words: [
      'hardly|barely|scarcely|rarely|seldom|almost never|next to never|little to no',
      'far from|anything but|least of all|not exactly|not quite|not really|not even|nowhere near|not necessarily|short of|too (?:\\p{L}+) to',
      'fail(?:s|ed|ing)? to|refus(?:e|es|ed|ing)(?: to)?|declin(?:e|es|ed|ing)(?: to)?|forgot to|unable to|lack(?:s|ed|ing)?|avoid(?:s|ed|ing)?|miss(?:es|ed|ing)? out',
      'kaum|selten|a peine|rarement|apenas|rara vez',
    ],
  },
  // The words were true and have ended.
  {
    mood: 'ended',
    words: [
      "no longer|no more|not any ?more|any ?more|(?:not|n't) .*\\bany longer",
      'stop(?:s|ped|ping)?|quit(?:s|ting)?|ceas(?:e|es|ed|ing)|g(?:a|i)ve(?:s|n)? up|giving up|gave it up',
      '(?:dropp(?:ed|ing)|abandon(?:ed|ing)?|ditch(?:ed|ing)?|scrapp(?:ed|ing)|retired|sunset|discontinued|deprecated|decommissioned|replaced|cancell?ed|revoked|terminated|resigned|divorced|sacked|fired|laid off|sold|lost|left|phased out|removed|got rid of|rid of|moved (?:away|out|off|on)|broke up|split up|switched off|shut down|closed down|outgrew|outgrown|swore off|grew out of|done with|through with|expired|ended|is over|are over|was over)',
      'nicht mehr|kein(?:e|en|em|er)? \\p{L}+ mehr|aufgehort|ne .* plus|arrete|ya no|deje de|dejo de',
    ],
  },
  // The words are named as the exception.
  {
    mood: 'exclusion',
    words: [
      'except(?:ing|ion)?|excluding|exclud(?:e|es|ed)|other than|apart from|aside from|save for|with the exception|but not',
      '(?:any|every|no|all)\\p{L}*(?: \\p{L}+){0,2} but',
      'ausser|ausgenommen|sauf|excepte|excepto|salvo|menos',
    ],
  },
  // The words name a neighbourhood or a bound, not the place or the number itself.
  {
    mood: 'approximation',
    words: [
      'near|close to|next to|outside(?: of)?|opposite|not far from|around|roughly|approximately|circa|somewhere',
      '(?:more|less|fewer|greater|higher|lower|larger|smaller|older|younger) than|at least|at most|by the end of|(?:before|after)(?= \\d)(?! \\d+ (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?))',
      '(?:under|over|below|above|up to|between|beyond)(?= (?:\\p{L}+ )?\\d)',
      'about (?=\\d)',
      '(?:hours?|minutes?|km|kilomet(?:er|re)s?|miles?|blocks?|stops?|away|far) (?:\\p{L}+ )?from',
    ],
  },
  // The words describe another thing of the kind.
  {
    mood: 'another one',
    words: [
      '(?<!years? )old(?! enough)|previous|prior|other|another|proposed|suggested|recommended|planned|future|potential|hypothetical|alleged',
    ],
    careful: ['next', 'default', 'temporary', 'second'],
  },
]

const anyOf = (patterns: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'u')

const patterns = once(() =>
  MOOD_ROWS.map(({ mood, words, careful = [] }) => ({
    mood,
    plain: anyOf(words),
    careful: anyOf([...words, ...careful]),
  })),
)

const CLAUSE_END = /[,;]|\s[–—-]\s/u

/** The words that stand behind each marker of a mood, up to the end of the clause. */
export function wordsBehind(sentence: string, mood: Mood): readonly string[] {
  const folded = foldText(sentence)
  const row = patterns().find((each) => each.mood === mood)
  if (!row) return []
  const found = folded.matchAll(new RegExp(row.plain.source, 'gu'))
  return [...found].map(
    ({ index, 0: marker }) => folded.slice(index + marker.length).split(CLAUSE_END)[0] ?? '',
  )
}

/** Signs that stand for laughter or irony: "/s", ";)", and faces. */
const JOKE_SIGNS = /(?:^|\s)\/s(?:arcasm)?(?=\W|$)|[;:]-?[)P](?!\w)|\(not\)|[😂🤣😉😜😝🙃🙄😏🤪]/u
/** The person repeats their own words: "as I said", "I told you". */
const OWN_REPORT =
  /(?<!\p{L})(?:as )?(?:i|we)(?:'ve| have)? (?:already |just )?(?:said|say|mentioned|told you|tell you|wrote)(?!\p{L})/gu

/** Moods of a sentence; none for a plain assertion. */
export function moodsOf(sentence: string, reading: Reading = 'plain'): ReadonlySet<Mood> {
  const folded = foldText(sentence).replace(OWN_REPORT, ' ').trim()
  const found = patterns().filter((row) => row[reading].test(folded))
  const moods = new Set(found.map(({ mood }) => mood))
  if (JOKE_SIGNS.test(sentence)) moods.add('joke')
  return moods
}

const QUESTION =
  /^(?:(?:and|but|so|ok|well|or|no|hey) )*(?:(?:what|which|who|whom|whose|where|why|how)\b|(?:does|did|is|are|was|were|will|can|could|would|should|shall|might)\b|(?:do|does|did|is|are|was|were|am|can|could|would|should|shall|will|have|has|had|may|might)(?:n't)? (?:i|you|we|he|she|they|it|the|a|an|my|our|your|this|that|these|those|there|any|someone|\p{L}+ (?:or|\p{L}+(?:ed|ing))))\b/u
const ASKS = /[?？]["'”’)\]]*\s*$/u
const RELATIVE = /^(?:who|whom|whose|which|where)\b/u
const SUBJECT = /^(?:my|our|the|a|an) \p{L}[^,;:]*,$/u
const PARTS_MIN = 2 // of a subject, and of what is inserted behind

/** "My sister, who lives in Oslo, is a nurse" asks nothing: no clause behind the subject is a question. */
function isInserted(clauses: readonly string[], at: number): boolean {
  if (!(clauses[at - 1] ?? '').endsWith(',')) return false
  const clause = foldText(clauses[at] ?? '')
  const lead = clauses.slice(0, at).join(' ')
  if (RELATIVE.test(clause)) return lead.split(/\s+/u).length >= PARTS_MIN
  return at >= PARTS_MIN && SUBJECT.test(foldText(clauses[0] ?? ''))
}

const TAG_WORDS_MAX = 3 // "right?", "don't I?", "is it not?"

/** "I live in Berlin, can you find a gym?" asks for something else. */
const REQUEST = /^(?:(?:and|but|so) )*(?:can|could|would|will) you\b/u

/** The clauses of a sentence that ask nothing; null where every clause asks. */
export function assertedPart(sentence: string, reading: Reading): string | null {
  const clauses = sentence.split(/(?<=[,;:])\s+|\s+[–—-]\s+/u)
  const isAsked = ASKS.test(sentence)
  const last = clauses.at(-1) ?? ''
  const isTag = last.split(/\s+/u).length <= TAG_WORDS_MAX
  const isRequest = clauses.length > 1 && REQUEST.test(foldText(last))
  if (isAsked && !isRequest && (reading === 'careful' || isTag)) return null
  const asserted = clauses.filter(
    (clause, at) =>
      !(isAsked && at === clauses.length - 1) &&
      ((!isAsked && isInserted(clauses, at)) || !QUESTION.test(foldText(clause))),
  )
  // "Should the job come through, I live in Oslo" asks nothing and sets a condition.
  if (!isAsked && asserted.length < clauses.length) return null
  const askedCount = clauses.length - asserted.length
  if (reading === 'careful' && askedCount > (isRequest ? 1 : 0)) return null
  return asserted.length === 0 ? null : asserted.join(' ')
}
