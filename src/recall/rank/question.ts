import { once } from '../../domain/errors.ts'
import type { KindMember } from '../../domain/words/search.ts'
import { foldText, queryTerms, termsOf } from '../../domain/words/terms.ts'
import { type TimeExpression, timeExpressions } from '../time/expressions.ts'

/** The term of the question that a word is a kind of. */
export interface Kind {
  readonly of: string
  readonly strength: number
}

/** Terms that name a kind of a term. */
export type MembersOf = (term: string) => readonly KindMember[]

/** A question, read from its words alone. */
export interface Question {
  /** Distinct telling terms, in the order of the question. */
  readonly terms: readonly string[]
  /** Terms about the asking: "list", "mention", "conversation". These terms weigh less. */
  readonly asking: ReadonlySet<string>
  /** Telling terms next to each other, or with one word between them. */
  readonly pairs: readonly (readonly [string, string])[]
  readonly times: readonly TimeExpression[]
  /** Terms that name a kind of a term of the question, most used first. */
  readonly kinds: ReadonlyMap<string, Kind>
  readonly asksWhen: boolean
  readonly asksHowMany: boolean
  /** Asks about the present or the future. Standing requests of a person always matter then. */
  readonly asksOfNow: boolean
  /** Asks for one fact, and not for a wish, a rule or work. */
  readonly asksForFact: boolean
  /** Asks for work or advice, and not for a fact. */
  readonly asksForWork: boolean
  /** Asks for a state that has ended: "what did we use before?". */
  readonly asksOfThen: boolean
  /** Asks for the whole: a summary, a list, an order of events. */
  readonly asksWhole: boolean
  readonly asksSummary: boolean
  /** Asks for earlier words of the assistant: "what did you recommend". */
  readonly asksWhatYouSaid: boolean
}

const WHEN =
  /\b(?:when|what (?:date|day|month|year|time)|which (?:day|month|year)|how long|how many (?:days|weeks|months|years))\b/
const HOW_MANY =
  /\b(?:how (?:many|much|often|old)|what (?:percentage|percent|number|score|amount|quota|is my))\b/
const REQUEST =
  /\b(?:(?:can|could|would) you|how (?:should|can|do|would) (?:i|we|you)|what (?:should|steps|would)|suggest|recommend|help me)\b/
const WORK =
  /\b(?:how do (?:i|you)|(?:i'm|i am|we're|we are) (?:planning|working|looking|building|trying|updating|about|writing|creating|applying)|when \w+ing an?)\b/
const FACT =
  /^(?:and |so )*(?:(?:on|at|in|to|from|for|by|with) )?(?:who|whom|whose|when|where|which|what|how (?:many|much|long|often|old|high|fast|far|large|big|tall|warm|late))\b/
/** A question about wishes and rules, which a standing wish answers. */
const RULE =
  /\b(?:may|must|should|shall|can|could|would|allowed|want|wants|wish|like|likes|prefer\w*|have to|need to|supposed|never|always)\b/
const PAST = /\b(?:did|have|has|had|was|were|been)\b/
const THEN =
  /\b(?:previous(?:ly)?|former(?:ly)?|earlier|originally|initially|at first|at the time|in the past|used to|back then|the old|until (?:then|the|we)|ago|in those days)\b/
const THEN_BEFORE = /\bbefore\b/
/** "Who owned the shop before Kim": a past tense with an end. */
const BEFORE =
  /^(?:who|what|which|where|how)\b(?!.*\b(?:do|does|should|must|may|can)\b).*\w{2}ed\b.* before\b/
const WAS = /\b(?:did|was|were|had|used)\b/
/** "What did we decide" asks for the decision that stands. */
const SETTLED =
  /\b(?:decide|decided|agree|agreed|choose|chose|settle|settled|conclude|end up|last|latest|recently)\b/
const WHOLE =
  /\b(?:summar\w*|overview|recap|list|order|across|throughout|all|overall|conversations?)\b/
const SUMMARY = /\b(?:summar\w*|overview|recap|walk me through)\b/
const POLITE = /\b(?:can|could|would|will) you\b|\bplease\b/
const YOU = /\byou(?:r|rs)?\b/

const ASKING =
  'can could please help give tell list show explain describe mention summary summarize overview recap ' +
  'comprehensive clear order bring brought different aspects items conversation conversations discuss discussed ' +
  'throughout across only considering question'

const askingTerms = once((): ReadonlySet<string> => new Set(termsOf(ASKING)))

const PAIR_REACH = 2 // terms from one of a pair to the other

export function readQuestion(text: string, now: number, membersOf: MembersOf = () => []): Question {
  const plain = foldText(text)
  const terms = queryTerms(text)
  const asksWhole = WHOLE.test(plain)
  const asking = new Set(terms.filter((term) => askingTerms().has(term)))
  return {
    terms,
    asking,
    pairs: pairsOf(termsOf(text), new Set(terms)),
    times: timeExpressions(text, now),
    kinds: kindsOf(
      terms.filter((term) => !asking.has(term)),
      membersOf,
    ),
    asksWhen: WHEN.test(plain),
    asksHowMany: HOW_MANY.test(plain),
    asksOfNow: !asksWhole && (REQUEST.test(plain) || !PAST.test(plain)),
    asksForFact: FACT.test(plain) && !RULE.test(plain),
    asksForWork: REQUEST.test(plain) || WORK.test(plain),
    asksOfThen:
      THEN.test(plain) ||
      BEFORE.test(plain) ||
      (WAS.test(plain) && (THEN_BEFORE.test(plain) || !SETTLED.test(plain))),
    asksWhole,
    asksSummary: SUMMARY.test(plain),
    asksWhatYouSaid: YOU.test(plain) && !POLITE.test(plain),
  }
}

function pairsOf(
  sequence: readonly string[],
  telling: ReadonlySet<string>,
): readonly (readonly [string, string])[] {
  return sequence.flatMap((first, at) =>
    sequence
      .slice(at + 1, at + 1 + PAIR_REACH)
      .filter((second) => telling.has(first) && telling.has(second) && first !== second)
      .map((second) => [first, second] as const),
  )
}

/** A word that is a kind of two terms counts for the stronger relation. */
function kindsOf(terms: readonly string[], membersOf: MembersOf): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>()
  for (const of of terms)
    for (const { term, strength } of membersOf(of))
      if (strength > (kinds.get(term)?.strength ?? 0)) kinds.set(term, { of, strength })
  for (const term of terms) kinds.delete(term)
  return kinds
}
