import { splitRef } from '../domain/ids.ts'
import type { ClaimBody } from '../domain/kinds/claim.ts'
import { contentText, definitionOf } from '../domain/kinds/table.ts'
import { isFirstHand } from '../domain/labels.ts'
import { likenessOf } from '../embed/likeness.ts'
import { type Print, printOf, termsIn } from '../embed/print.ts'
import { boundSessions, isBound } from '../gate/context-cap.ts'
import type { Candidate, ServedLike } from '../gate/stamp.ts'
import type { WordSense } from '../ports/meaning.ts'
import { type Receipts, type Told, toldKey } from '../ports/receipts.ts'
import type { SequencerOptions } from './sequencer.ts'

interface RecognisingParts {
  readonly told: (session: string) => Promise<readonly Told[]>
  readonly toldAnywhere: () => Promise<readonly Told[]>
  /** The table of words, which is loaded when it is first asked for. */
  readonly words: () => WordSense
}

const LIKES_MAX = 4 // of each: what the gate may choose among

/** How the sequencer recognises; not at all where no words or receipts are at hand. */
export const recogniserOn = (
  { words, receipts }: { readonly words?: () => WordSense; readonly receipts?: Receipts },
  serving: () => Pick<RecognisingParts, 'told' | 'toldAnywhere'>,
): Pick<SequencerOptions, 'recognise'> => {
  if (!words || !receipts) return {}
  const parts: RecognisingParts = {
    words,
    told: (session) => serving().told(session),
    toldAnywhere: () => serving().toldAnywhere(),
  }
  return { recognise: (candidate) => recognise(candidate, parts) }
}

/**
 * What a draft is like among all that its session was served, and others were. Only what a model
 * asserts is looked at, and only where anything was served: nobody else pays for the table of words.
 */
async function recognise(
  candidate: Candidate,
  { told, toldAnywhere, words }: RecognisingParts,
): Promise<readonly ServedLike[]> {
  const { draft, arrival, main } = candidate
  const { label } = draft.origin
  if (!definitionOf(main.kind).asserts || draft.revises || isFirstHand(label)) return []
  if (!isBound(draft)) return []
  const served = new Map<string, Known>()
  for (const session of boundSessions(draft, arrival)) {
    for (const one of await told(session)) note(served, one, false)
  }
  for (const one of await toldAnywhere()) note(served, one, true)
  if (served.size === 0) return []
  const said = printOf(contentText(main.kind, main.body))
  const mustHave = main.kind === 'claim' ? valueIn(main.body) : null
  const likes = [...served.values()].flatMap(({ ref, print, beside, isElsewhere }) => {
    // Why something was changed is no word on another value: only what is written down is a claim.
    if (mustHave && (beside || !holds(print, mustHave))) return []
    if (!sharesTerm(said, print)) return []
    const like = likenessOf(said, print, words())
    return like ? [{ ref, ...like, isElsewhere }] : []
  })
  const inSession = likes.filter(({ isElsewhere }) => !isElsewhere)
  const own = inSession.filter(({ ref }) => splitRef(ref).kind === main.kind)
  const elsewhere = likes.filter(({ isElsewhere }) => isElsewhere)
  return [
    ...new Set([
      ...nearest(own, alike),
      ...nearest(inSession, scoreOf),
      ...nearest(elsewhere, alike),
    ]),
  ]
}

interface Known extends Told {
  /** Nobody told this session that the memory says so: what says the same is linked, never folded. */
  readonly isElsewhere: boolean
}

/** A memory that was shown in several words is there with each of them, once. */
function note(served: Map<string, Known>, one: Told, isElsewhere: boolean): void {
  const key = toldKey(one)
  if (!served.has(key)) served.set(key, { ...one, isElsewhere: isElsewhere || one.beside })
}

/** Another value is another claim, however like the rest of it is. */
const valueIn = (body: object): Print => {
  const { value } = body as ClaimBody // a body of kind claim was parsed as one
  return printOf(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Without one they are not alike, and nobody needs the table of words to say so. */
function sharesTerm(a: Print, b: Print): boolean {
  const terms = termsIn(b)
  for (const term of termsIn(a).keys()) if (terms.has(term)) return true
  return false
}

function holds(print: Print, words: Print): boolean {
  const terms = termsIn(print)
  for (const term of termsIn(words).keys()) if (!terms.has(term)) return false
  return true
}

const nearest = (likes: readonly ServedLike[], by: (like: ServedLike) => number) =>
  likes.toSorted((a, b) => by(b) - by(a) || order(a, b)).slice(0, LIKES_MAX)

const scoreOf = ({ score }: ServedLike): number => score

/** What is the same in the same order comes before what only says as much. */
const alike = ({ covered, repeated, isInStep }: ServedLike): number =>
  covered + repeated + (isInStep ? IN_STEP : 0)

const IN_STEP = 2_000 // more than any two shares come to

const order = (a: ServedLike, b: ServedLike): number => (a.ref < b.ref ? -1 : 1)
