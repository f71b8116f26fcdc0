import { assert, MunimentError } from '../../../domain/errors.ts'
import type { Ref } from '../../../domain/ids.ts'
import type { JsonObject } from '../../../domain/kinds/json-value.ts'
import { TRANSITION_NAMES, type TransitionName } from '../../../domain/vocabulary.ts'
import { isAccepted } from '../../../domain/write.ts'
import type { ModelCalls } from '../../components/model-calls.ts'
import { reportRequest } from '../../components/reports.ts'
import type { Engine } from '../../engine.ts'
import type { Served } from '../../read/served.ts'
import { flagOf, given, libCaller, nameOf, oneOf, wrong } from '../../write/arguments.ts'
import { retryAfterHeadMove } from '../../write/outcomes.ts'
import type { WriteRequest, Written } from '../../write/write-request.ts'
import { type Budget, Purse } from '../prompt.ts'
import { isDue, transitionNamed } from '../rules.ts'
import type { DroppedReason } from '../suggestion-checks.ts'
import {
  type Draft,
  draftedByModel,
  draftedFrom,
  newestSeq,
  type Outcome,
  proposedFrom,
  type Reached,
  reachedBy,
  reportName,
  taughtIn,
  type Waiting,
  waitingFor,
} from './sources.ts'

/** The captures that a model processes, and its budget. */
export interface ProcessOptions {
  /** Names of the steps to run, always in the standard order; all by default. */
  readonly transitions?: readonly string[]
  /** True to run steps that are not due. */
  readonly force?: boolean
  readonly budget?: Partial<Budget>
  /** Batches of each step in this run. */
  readonly batches?: number
  /** Suggestions for review, or memories at once; both pass the gate. */
  readonly as?: Outcome
  readonly actor?: string
}

/** The result of one step. */
export interface Processed {
  readonly transition: TransitionName
  readonly status: 'done' | 'not_due' | 'needs_model' | 'failed'
  readonly by: 'model' | 'rule' | null
  readonly examined: number
  readonly made: readonly Ref[]
  readonly dropped: Readonly<Partial<Record<DroppedReason, number>>>
  /** The error code of a failed step. */
  readonly error: string | null
}

/** The suggestions that processing made. */
export interface ProcessReport {
  readonly steps: readonly Processed[]
  readonly spent: Budget
}

export interface ProcessParts {
  readonly engine: Engine
  readonly calls: ModelCalls
  /** Leaves receipts of the sources in a prompt. */
  readonly serve: (session: string, served: readonly Served[]) => Promise<void>
}

/** The stack is the caller for every actor, because drafts are ModelDerived in any case. */
const CALLER = libCaller('process')

const RUN_BUDGET: Budget = { calls: 10, tokens: 100_000 }
export const BATCHES_MAX = 100
const RULED_BATCHES_MAX = 1_000
const LOOKED_MAX = 1_000 // examined protected beliefs to remember; older ones are offered again
const FAILURES_MAX = 3 // bad answers before a batch is skipped

/** Drafts memories from captures, and more from the results; every draft is checked. */
export async function process(
  parts: ProcessParts,
  asked?: ProcessOptions | null,
): Promise<ProcessReport> {
  const { transitions = TRANSITION_NAMES, budget, batches = 1, ...options } = given(asked)
  if (!(Number.isInteger(batches) && batches > 0 && batches <= BATCHES_MAX)) {
    throw wrong('batches', `a whole number from 1 to ${BATCHES_MAX}`)
  }
  const names = namesIn(transitions)
  const { engine } = parts
  const run: Run = {
    ...parts,
    purse: new Purse(budgetOf(budget)),
    force: flagOf('force', options.force, false),
    as: oneOf('as', options.as ?? 'suggestions', ['suggestions', 'memories']),
    actor: nameOf('actor', options.actor ?? `${engine.stackId}:processing`),
    session: `process:${engine.nextId()}`,
  }
  const steps: Processed[] = []
  for (const name of names) {
    // Rules are free, so all waiting memories are processed.
    const most = run.calls.model === null ? RULED_BATCHES_MAX : batches
    for (let batch = 0; batch < most; batch += 1) {
      const step = await stepOf(run, name)
      if (batch === 0 || step.status === 'done' || step.status === 'failed') steps.push(step)
      if (step.status !== 'done' || step.examined === 0) break
    }
  }
  return { steps, spent: run.purse.spent }
}

interface Run extends ProcessParts {
  readonly purse: Purse
  readonly force: boolean
  readonly as: Outcome
  readonly actor: string
  readonly session: string
}

const sourcesOf = (waiting: readonly Waiting[]) => waiting.map(({ source }) => source)

const nothing = (transition: TransitionName) => ({
  transition,
  by: null,
  examined: 0,
  made: [],
  dropped: {},
  error: null,
})

async function stepOf(run: Run, name: TransitionName): Promise<Processed> {
  const by = run.calls.model ? 'model' : 'rule'
  const transition = transitionNamed(name)
  const about = reportName(name, by)
  const reached = await reachedBy(run.engine, about)
  const waiting = await waitingFor(run.engine, transition, { ...reached, by })
  // Rules are free, so a step by rule is always due.
  const isCalled = run.force || by === 'rule' || isDue(transition, sourcesOf(waiting))
  if (waiting.length === 0 || !isCalled) return { ...nothing(name), status: 'not_due' }
  const batch = waiting.slice(0, transition.batch)
  const at = { name, about, by, reached, waiting } as const
  try {
    if (by === 'model') return await settled(run, await asked(run, name, batch), { ...at, batch })
    if (name === LOOKS_BACK) return await lookedBack(run, { ...at, batch: waiting })
    const draft = draftedFrom(name, waiting)
    if (draft === null) return { ...nothing(name), status: 'needs_model' }
    return await settled(run, draft, { ...at, batch: waiting })
  } catch (cause) {
    if (!(cause instanceof MunimentError)) throw cause
    if (cause.code === 'model_answer') await noteFailure(run, { ...at, batch })
    return { ...nothing(name), by, status: 'failed', examined: batch.length, error: cause.code }
  }
}

async function asked(run: Run, name: TransitionName, batch: readonly Waiting[]): Promise<Draft> {
  await run.serve(
    run.session,
    batch.map(({ memory: { ref, tier, text } }) => ({ ref, tier, text })),
  )
  return draftedByModel(run.calls, name, { batch, purse: run.purse })
}

/** Lessons recur across all episodes, so the rule reads all of them at once. */
const LOOKS_BACK: TransitionName = 'episode_to_belief'

async function lookedBack(run: Run, at: At): Promise<Processed> {
  const transition = transitionNamed(at.name)
  const upto = await newestSeq(run.engine, transition)
  const taught = await taughtIn(run.engine, transition)
  const draft = draftedFrom(at.name, taught)
  assert(draft !== null, 'lessons are drawn by rule')
  return settled(run, draft, { ...at, upto, batch: taught })
}

interface At {
  readonly name: TransitionName
  readonly about: string
  readonly by: 'model' | 'rule'
  readonly reached: Reached
  readonly waiting: readonly Waiting[]
  readonly batch: readonly Waiting[]
  /** The last examined memory; the end of the batch by default. */
  readonly upto?: number
}

/** Writes all results of a batch and its progress in one commit. */
async function settled(run: Run, draft: Draft, at: At): Promise<Processed> {
  const { engine, as, actor, session } = run
  const transition = transitionNamed(at.name)
  const report = (count: number) => reachedRequest(engine, at, { made: count, failures: 0 })
  const { made, dropped } = await retryAfterHeadMove(engine, async (expectedMoves) => {
    const how = { transition, as, actor, session }
    const { requests, dropped } = await proposedFrom(engine, draft, how)
    return { made: await writtenBy(run, { requests, report, expectedMoves }), dropped }
  })
  const { name, by, batch } = at
  return {
    transition: name,
    status: 'done',
    by,
    examined: batch.length,
    made,
    dropped,
    error: null,
  }
}

const reachedRequest = (engine: Engine, at: At, fields: JsonObject) => {
  const { name, about, batch, upto = batch.at(-1)?.seq ?? -1 } = at
  const looked = new Set([...at.reached.looked, ...batch.map(({ seq }) => seq)])
  const reached = {
    upto,
    examined: batch.length,
    ...(transitionNamed(name).protectedOnly && { looked: [...looked].slice(-LOOKED_MAX) }),
    ...fields,
  }
  return reportRequest(engine, { topic: 'processing', about }, reached) as unknown as WriteRequest
}

/** Drops requests that the gate refuses, and writes the rest. */
async function writtenBy(
  { engine }: Run,
  {
    requests,
    report,
    expectedMoves,
  }: {
    readonly requests: readonly WriteRequest[]
    readonly report: (made: number) => WriteRequest
    readonly expectedMoves: number | null
  },
): Promise<readonly Ref[]> {
  for (let left = requests; ; ) {
    const all = [...left, report(left.length)]
    const written: Written = await engine.writeAll(all, CALLER, expectedMoves)
    if (!written.refused) {
      return written.results
        .slice(0, left.length)
        .flatMap((result) => (isAccepted(result) ? result.ref : []))
    }
    const { index } = written
    if (index >= left.length) throw new MunimentError('refused', written.result.message ?? '')
    left = left.filter((_, at) => at !== index)
  }
}

/** Skips a batch after repeated bad answers, so that later batches are processed. */
async function noteFailure({ engine }: Run, at: At): Promise<void> {
  const failures = at.reached.failures + 1
  const isGivenUp = failures >= FAILURES_MAX
  const { upto, looked } = at.reached
  const fields = isGivenUp ? { failures: 0, passedOver: true } : { upto, looked, failures }
  await engine.write(reachedRequest(engine, at, { made: 0, ...fields }), CALLER)
}

function namesIn(transitions: readonly string[]): readonly TransitionName[] {
  if (!Array.isArray(transitions)) throw wrong('transitions', 'a list of steps')
  const asked = new Set(transitions.map((name) => oneOf('transitions', name, TRANSITION_NAMES)))
  return TRANSITION_NAMES.filter((name) => asked.has(name))
}

function budgetOf(asked: Partial<Budget> | undefined): Budget {
  const { calls, tokens } = { ...RUN_BUDGET, ...given(asked) }
  for (const [name, value] of Object.entries({ calls, tokens })) {
    if (!(Number.isSafeInteger(value) && value >= 0)) {
      throw wrong(`budget.${name}`, 'a whole number, 0 or more')
    }
  }
  return { calls, tokens }
}
