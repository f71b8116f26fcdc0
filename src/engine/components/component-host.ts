import type { Caller } from '../../domain/doors.ts'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import { type RecordKind, type Ref, splitRef } from '../../domain/ids.ts'
import { sortedJson } from '../../domain/kinds/json-value.ts'
import { type Label, label } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { RoutedPayload } from '../../domain/provenance.ts'
import { isAccepted } from '../../domain/write.ts'
import type {
  ComponentHost,
  ComponentMemory,
  HostAnswer,
  HostListOptions,
  HostQuestion,
  Proposal,
  Reindexed,
  Stats,
} from '../../ports/component.ts'
import type { Embedder } from '../../ports/models.ts'
import type { StoredMemory } from '../../ports/store.ts'
import { applyForgetting } from '../change/changes.ts'
import type { Engine } from '../engine.ts'
import { BATCHES_MAX, type ProcessOptions, type ProcessReport } from '../processing/run/process.ts'
import { isSuggested } from '../processing/run/sources.ts'
import { findStored, narrowing } from '../read/list.ts'
import { forComponents } from '../read/memory-view.ts'
import type { Moment } from '../world.ts'
import { libCaller } from '../write/arguments.ts'
import { retryAfterHeadMove } from '../write/outcomes.ts'
import type { WriteRequest } from '../write/write-request.ts'
import { takeObject } from './component-values.ts'
import { latestReport, reportRequest } from './reports.ts'

/** Services that a host lends besides reads and writes. */
export interface Lent {
  readonly process: (options: ProcessOptions) => Promise<ProcessReport>
  readonly ask: (task: string, question: HostQuestion) => Promise<HostAnswer | null>
  readonly reindex: (progress: (done: number, total: number) => void) => Promise<Reindexed | null>
  readonly useEmbedder: (embedder: Embedder | null) => void
  readonly progress: (component: string, done: number, total: number) => void
}

/** The stack as seen by one component; every write is signed with the name of the component. */
export function hostFor(engine: Engine, name: string, lent: Lent): ComponentHost {
  const by = {
    label: label.modelDerived(),
    actor: `component:${name}`,
    caller: libCaller(`component_${name}`),
  }
  const progress = (done: number, total: number): void => lent.progress(name, done, total)
  const own = { topic: 'component', about: name } as const
  return {
    stackId: engine.stackId,
    now: () => engine.now(),
    list: async (kind, options) => shownAll<typeof kind>(await listed(engine, kind, options)),
    waiting: async (kind, limit) => shownAll<typeof kind>(await waiting(engine, kind, limit)),
    get: async (ref) => {
      const stored = await engine.read({ type: 'memory', ref })
      return stored && forComponents(stored, await engine.moment())
    },
    beside: (ref) => beside(engine, ref),
    counts: () => engine.read({ type: 'counts' }),
    suggest: (proposal, sources) => suggest(engine, { proposal, sources, by }),
    forget: async (ref, reason) => {
      const change = { type: 'forget' } as const
      return (await engine.change({ ref, change, text: reason, ...by })).changed
    },
    annotate: async (ref, fields) => {
      const change = { type: 'annotate', by: name, fields: takeObject(fields) } as const
      return (await engine.change({ ref, change, ...by })).changed
    },
    kept: () => latestReport(engine, own),
    keep: async (fields) => {
      const taken = takeObject(fields)
      const before = await latestReport(engine, own)
      if (before !== null && sortedJson(before) === sortedJson(taken)) return
      const request = reportRequest(engine, own, taken)
      await engine.write(request as never, by.caller) // of its own kind
    },
    process: async (transitions) =>
      statsOf(await lent.process({ transitions, actor: by.actor, batches: BATCHES_MAX })),
    ask: (question) => lent.ask(by.caller.operation, question),
    progress,
    flag: async (ref, reason) => flag(engine, { ref, reason, by }),
    sweep: async () => {
      const { swept, forgotten, kept } = await applyForgetting(engine)
      return { swept, forgotten, kept }
    },
    reindex: () => lent.reindex(progress),
    useEmbedder: lent.useEmbedder,
  }
}

interface By {
  readonly label: Label
  readonly actor: string
  readonly caller: Caller
}

/** Suggests once, also when several callers propose equal content at a time. */
function suggest(
  engine: Engine,
  {
    proposal,
    sources,
    by,
  }: { readonly proposal: Proposal; readonly sources: readonly Ref[]; readonly by: By },
): Promise<Ref | null> {
  const body = { ...proposal, sourceRefs: [...sources] }
  const provenance: RoutedPayload = {
    sourceType: 'consolidation',
    label: by.label,
    sourceId: by.actor,
    ingestionPath: `lib:${by.caller.operation}`,
    confidence: proposal.confidence,
    llmModel: `unknown:${by.actor}`,
  }
  const request = { kind: 'suggestion', body, provenance } as WriteRequest // a suggestion
  return retryAfterHeadMove(engine, async (expectedMoves) => {
    if (await isSuggested(engine, body)) return null
    const written = await engine.writeAll([request], by.caller, expectedMoves)
    const result = written.refused ? written.result : written.results[0]
    return result && isAccepted(result) ? result.ref : null
  })
}

interface MemoryList {
  readonly found: readonly StoredMemory[]
  readonly moment: Moment
}

const shownAll = <K extends RecordKind>({
  found,
  moment,
}: MemoryList): readonly ComponentMemory<K>[] =>
  found.map((stored) => forComponents(stored, moment) as ComponentMemory<K>) // of the requested kind

async function listed(
  engine: Engine,
  kind: RecordKind,
  { since, ...options }: HostListOptions = {},
): Promise<MemoryList> {
  const { found, moment } = await findStored(engine, kind, options)
  return {
    found: found.filter(({ state }) => since === undefined || state.bornAt >= since),
    moment,
  }
}

async function waiting(engine: Engine, kind: RecordKind, limit: number): Promise<MemoryList> {
  const moment = await engine.moment()
  const where = { ...narrowing({}, moment), untouched: true as const }
  return {
    found: await engine.read({
      type: 'memories',
      where: { ...where, kind, present: true },
      order: 'oldest',
      limit,
    }),
    moment,
  }
}

async function beside({ read }: Engine, ref: Ref) {
  const stored = await read({ type: 'memory', ref })
  const from = stored?.state.parents ?? []
  const below = await read({
    type: 'lineage',
    ref,
    direction: 'down',
    visitMax: LIMITS.lineageVisitMax,
  })
  if (below === null)
    throw new LimitError('lineageVisitMax', LIMITS.lineageVisitMax, LIMITS.lineageVisitMax + 1)
  const into = below.filter(({ state }) => state.parents.includes(ref))
  return { from, into: into.map(({ state }) => state.ref) }
}

function statsOf({ steps, spent }: ProcessReport): Stats {
  const sum = (count: (step: ProcessReport['steps'][number]) => number): number =>
    steps.reduce((all, step) => all + count(step), 0)
  const dropped = sum((step) => Object.values(step.dropped).reduce((all, each) => all + each, 0))
  const errors = steps.flatMap(({ error }) => error ?? [])
  return {
    examined: sum(({ examined }) => examined),
    suggested: sum(({ made }) => made.length),
    dropped,
    ...(spent.calls > 0 && { calls: spent.calls, tokens: spent.tokens }),
    ...(errors.length > 0 && { errors }),
  }
}

interface Flagging {
  readonly ref: Ref
  readonly reason: string
  readonly by: Pick<Parameters<Engine['change']>[0], 'label' | 'actor' | 'caller'>
}

/** A proposal without an effect, which waits for review. */
async function flag(engine: Engine, { ref, reason, by }: Flagging): Promise<void> {
  const { kind } = splitRef(ref)
  const { reason: unchanged } = await engine.change({
    ref,
    change: { type: 'ask_review' },
    text: reason,
    ...by,
  })
  if (unchanged === 'not_found') {
    throw new MunimentError('not_found', `There is no such ${kind as RecordKind}.`)
  }
}
