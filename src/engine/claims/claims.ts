import type { ChangeResult } from '../../domain/change.ts'
import type { ClaimRequest } from '../../domain/claims.ts'
import { parseRef, type Ref } from '../../domain/ids.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { contentText } from '../../domain/kinds/table.ts'
import type { ChangeOptions, Changes } from '../change/changes.ts'
import type { Engine } from '../engine.ts'
import type { ReadBy } from '../read/served.ts'
import { gatedIn, memoriesIn } from '../read/use-gate.ts'
import { given } from '../write/arguments.ts'
import {
  type Answer,
  type AskOptions,
  ask,
  instantOf,
  servedByAnswer,
  type TimelineKey,
} from './answer.ts'
import {
  type ClaimOptions,
  type ClaimResult,
  ingestClaim,
  type RememberOptions,
  remember,
} from './claim.ts'
import {
  type Contradicting,
  type ContradictionsOptions,
  contradictions,
  noteContradictions,
} from './contradictions.ts'
import {
  lineHistory,
  lines,
  subject,
  type TimelineStep,
  type TimelinesOptions,
  type TimelinesPage,
} from './timelines.ts'
import {
  type AdjudicateOptions,
  adjudicate,
  type RecastOptions,
  recast,
  type Superseding,
  supersedeClaim,
} from './verdict.ts'

/** Claims and answers: asserted values of a subject and predicate, and the value in force. */
export class Claims {
  readonly #engine: Engine
  readonly #changes: Changes

  constructor(engine: Engine, changes: Changes) {
    this.#engine = engine
    this.#changes = changes
  }

  /**
   * Writes one labelled claim through the gate; a refusal is a value.
   * @example
   * await stack.claims.ingest({ subject: 'user', predicate: 'city', value: 'Oslo', provenance: label.userAsserted() })
   */
  async ingest(request: ClaimRequest, options?: ClaimOptions | null): Promise<ClaimResult> {
    return ingestClaim(this.#engine, request, given(options))
  }

  /**
   * A shorter form for people: `remember('user', 'city', 'Berlin', { from: '2020' })`.
   * @example await stack.claims.remember('user', 'city', 'Berlin', { from: '2020' })
   */
  async remember(
    subject: string,
    predicate: string,
    value: JsonValue,
    options?: RememberOptions | null,
  ): Promise<ClaimResult> {
    return remember(this.#engine, [subject, predicate, value], given(options))
  }

  /**
   * The value of a timeline now, folded from all its claims.
   * @example
   * const { standing, values } = await stack.claims.ask({ subject: 'user', predicate: 'city' })
   */
  async ask(question: TimelineKey & AskOptions & ReadBy): Promise<Answer> {
    const { subject, predicate, ...by } = given(question)
    const answer = await ask(this.#engine, { subject, predicate }, asking(by))
    await this.#engine.serving.serve('ask', by, servedByAnswer(answer))
    return answer
  }

  /**
   * Every claim of a timeline with its status, ordered by valid time.
   * @example const steps = await stack.claims.timeline({ subject: 'user', predicate: 'city' })
   */
  async timeline(
    question: TimelineKey & Pick<AskOptions, 'asOf' | 'for' | 'minTier'> & ReadBy,
  ): Promise<readonly TimelineStep[]> {
    const { subject, predicate, ...by } = given(question)
    const steps = await lineHistory(this.#engine, { subject, predicate }, asking(by))
    const read = steps.filter(({ withheld }) => withheld === undefined)
    const told = read.map(({ ref, tier, value }) => ({
      ref,
      tier,
      text: contentText('claim', { subject, predicate, value }),
    }))
    await this.#engine.serving.serve('history', by, told)
    return steps
  }

  /**
   * One answer for each predicate of a subject; disputes are shown.
   * @example const answers = await stack.claims.subject('user')
   */
  async subject(name: string, options?: (AskOptions & ReadBy) | null): Promise<readonly Answer[]> {
    const by = given(options)
    const answers = await subject(this.#engine, name, asking(by))
    await this.#engine.serving.serve('subject', by, answers.flatMap(servedByAnswer))
    return answers
  }

  /**
   * A page of timelines with their values, the latest claims first.
   * @example const { lines } = await stack.claims.timelines({ about: 'city' })
   */
  async timelines(options?: (TimelinesOptions & ReadBy) | null): Promise<TimelinesPage> {
    const { page, served, by } = await lines(this.#engine, given(options))
    await this.#engine.serving.serve('lines', by, served)
    return page
  }

  /**
   * Ends a claim at a date; now by default.
   * @example await stack.claims.end(claim, { at: '2024-05-01' })
   */
  async end(
    ref: string,
    options?: (ChangeOptions & { readonly at?: string }) | null,
  ): Promise<ChangeResult> {
    const { at, ...rest } = given(options)
    const moment = at === undefined ? this.#engine.now() : instantOf('at', at)
    return this.#changes.change(ref, { type: 'end', at: moment }, 'end_claim', rest)
  }

  /**
   * Retracts a claim that never held; no other claim replaces the value.
   * @example await stack.claims.retract(claim)
   */
  async retract(ref: string, options?: ChangeOptions | null): Promise<ChangeResult> {
    return this.#changes.change(ref, { type: 'retract' }, 'retract', options)
  }

  /**
   * Undoes an end, a retraction or a verdict.
   * @example
   * await stack.claims.retract(claim)
   * await stack.claims.reopen(claim)
   */
  async reopen(ref: string, options?: ChangeOptions | null): Promise<ChangeResult> {
    return this.#changes.change(ref, { type: 'reopen' }, 'reopen', options)
  }

  /**
   * A verdict on a contested claim or timeline; one verdict settles any number of sides.
   * @example
   * const { changed, reason } = await stack.claims.adjudicate(claim, { verdict: 'affirm' })
   */
  async adjudicate(
    target: string | TimelineKey,
    options: AdjudicateOptions,
  ): Promise<ChangeResult> {
    return adjudicate(this.#engine, target, given(options))
  }

  /**
   * A person sets a timeline to one value at a time or to many.
   * @example
   * await stack.claims.recast({ subject: 'user', predicate: 'city' }, { cardinality: 'SetValued' })
   */
  async recast(
    line: TimelineKey,
    options: RecastOptions,
  ): Promise<ChangeResult & { readonly ref: Ref }> {
    return recast(this.#engine, line, given(options))
  }

  /**
   * Memories that contradict a statement: shown, never settled automatically.
   * @example const against = await stack.claims.contradictions('No train goes to Oslo')
   */
  async contradictions(
    statement: string,
    options?: ContradictionsOptions & ReadBy,
  ): Promise<readonly Contradicting[]> {
    const all = await contradictions(this.#engine, statement, options)
    const shown = await gatedIn(this.#engine, all, options)
    await this.#engine.serving.serve('contradictions', options, memoriesIn(shown))
    return shown
  }

  /**
   * Looks for memories that a belief or note contradicts. Each pair goes to the review queue once,
   * at the newer of the two; both stand until a person decides.
   * @example const against = await stack.claims.noteContradictions(belief)
   */
  async noteContradictions(ref: string): Promise<readonly Contradicting[]> {
    return noteContradictions(this.#engine, parseRef(ref))
  }

  /**
   * Does the work of `noteContradictions` after this returns; reads and closing wait for it.
   * @example await stack.claims.noteContradictionsLater(belief)
   */
  async noteContradictionsLater(ref: string): Promise<void> {
    await this.#engine.checks.add(parseRef(ref), 'contradictions')
  }

  /**
   * Replaces the value of a claim of any actor.
   * @example await stack.claims.supersede(claim, 'Paris', { reason: 'moved' })
   */
  async supersede(
    ref: string,
    value: JsonValue,
    options?: (RememberOptions & { readonly reason?: string }) | null,
  ): Promise<Superseding> {
    return supersedeClaim(this.#engine, parseRef(ref), { value, options: given(options) })
  }
}

/** The question without the reader. */
const asking = ({ validAt, asOf, minTier, caller, ...rest }: AskOptions): AskOptions => ({
  ...(caller === undefined ? {} : { caller }),
  ...(validAt === undefined ? {} : { validAt }),
  ...(asOf === undefined ? {} : { asOf }),
  ...(minTier === undefined ? {} : { minTier }),
  ...(rest.for === undefined ? {} : { for: rest.for }),
})
