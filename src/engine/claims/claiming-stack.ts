import type { ChangeResult } from '../../domain/change.ts'
import type { ClaimRequest } from '../../domain/claim-request.ts'
import { parseRef, type Ref } from '../../domain/ids.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { contentText } from '../../domain/kinds/table.ts'
import type { ChangeOptions } from '../change/changing-stack.ts'
import type { ReadBy } from '../read/served.ts'
import { RecallingStack } from '../search/recalling-stack.ts'
import { given } from '../write/arguments.ts'
import {
  type Answer,
  type AskOptions,
  ask,
  instantOf,
  type LineOf,
  servedByAnswer,
} from './answer.ts'
import {
  type ClaimOptions,
  type ClaimResult,
  ingestClaim,
  type RememberOptions,
  remember,
} from './claim.ts'
import { type LineStep, lineHistory, subject } from './timeline-history.ts'
import { type LinesOptions, type LinesPage, lines } from './timelines.ts'
import {
  type AdjudicateOptions,
  adjudicate,
  type RecastOptions,
  recast,
  type Superseding,
  supersedeClaim,
} from './verdict.ts'

/** Claims and answers: what is said of a line, by whom, of when, and what it comes to. */
export class ClaimingStack extends RecallingStack {
  /** One claim with its label, through the gate; a refusal is an answer. */
  async ingestClaim(request: ClaimRequest, options?: ClaimOptions | null): Promise<ClaimResult> {
    return ingestClaim(this.uses, request, given(options))
  }

  /** The same for people: `remember('user', 'city', 'Berlin', { from: '2020' })`. */
  async remember(
    subject: string,
    predicate: string,
    value: JsonValue,
    options?: RememberOptions | null,
  ): Promise<ClaimResult> {
    return remember(this.uses, [subject, predicate, value], given(options))
  }

  /** What holds of a line: computed now, from everything said of it. */
  async ask(question: LineOf & AskOptions & ReadBy): Promise<Answer> {
    const { subject, predicate, ...by } = given(question)
    const answer = await ask(this.uses, { subject, predicate }, asking(by))
    await this.serving.serve('ask', by, servedByAnswer(answer))
    return answer
  }

  /** Every claim of a line and where it stands, in the order of the time it speaks about. */
  async lineHistory(
    question: LineOf & Pick<AskOptions, 'asOf' | 'for' | 'minTier'> & ReadBy,
  ): Promise<readonly LineStep[]> {
    const { subject, predicate, ...by } = given(question)
    const steps = await lineHistory(this.uses, { subject, predicate }, asking(by))
    const read = steps.filter(({ withheld }) => withheld === undefined)
    const told = read.map(({ ref, tier, value }) => ({
      ref,
      tier,
      text: contentText('claim', { subject, predicate, value }),
    }))
    await this.serving.serve('history', by, told)
    return steps
  }

  /** All that is said of a subject, one answer a line; disputes are shown. */
  async subject(name: string, options?: (AskOptions & ReadBy) | null): Promise<readonly Answer[]> {
    const by = given(options)
    const answers = await subject(this.uses, name, asking(by))
    await this.serving.serve('subject', by, answers.flatMap(servedByAnswer))
    return answers
  }

  /** What is claimed at all, a line at a glance, what was spoken of last first. */
  async lines(options?: (LinesOptions & ReadBy) | null): Promise<LinesPage> {
    const { page, served, by } = await lines(this.uses, given(options))
    await this.serving.serve('lines', by, served)
    return page
  }

  /** From a moment on it holds no longer; now unless a date is given. */
  async endClaim(
    ref: string,
    options?: (ChangeOptions & { readonly at?: string }) | null,
  ): Promise<ChangeResult> {
    const { at, ...rest } = given(options)
    const moment = at === undefined ? this.uses.now() : instantOf('at', at)
    return this.change(ref, { type: 'end', at: moment }, 'end_claim', rest)
  }

  /** It never held; nothing takes its place. */
  async retract(ref: string, options?: ChangeOptions | null): Promise<ChangeResult> {
    return this.change(ref, { type: 'retract' }, 'retract', options)
  }

  /** Undoes an end, a retraction or a verdict. */
  async reopen(ref: string, options?: ChangeOptions | null): Promise<ChangeResult> {
    return this.change(ref, { type: 'reopen' }, 'reopen', options)
  }

  /** A verdict on a contest, of a claim or of a line; one settles any number of sides. */
  async adjudicate(target: string | LineOf, options: AdjudicateOptions): Promise<ChangeResult> {
    return adjudicate(this.uses, target, given(options))
  }

  /** Whether a line has one value at a time or many, from now on; a person says so. */
  async recast(
    line: LineOf,
    options: RecastOptions,
  ): Promise<ChangeResult & { readonly ref: Ref }> {
    return recast(this.uses, line, given(options))
  }

  /** Another value in the place of a claim, whoever made it. */
  async supersedeClaim(
    ref: string,
    value: JsonValue,
    options?: (RememberOptions & { readonly reason?: string }) | null,
  ): Promise<Superseding> {
    return supersedeClaim(this.uses, parseRef(ref), { value, options: given(options) })
  }
}

/** What is asked, without who asks. */
const asking = ({ validAt, asOf, minTier, caller, ...rest }: AskOptions): AskOptions => ({
  ...(caller === undefined ? {} : { caller }),
  ...(validAt === undefined ? {} : { validAt }),
  ...(asOf === undefined ? {} : { asOf }),
  ...(minTier === undefined ? {} : { minTier }),
  ...(rest.for === undefined ? {} : { for: rest.for }),
})
