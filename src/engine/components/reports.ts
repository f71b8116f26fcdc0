import { KEPT_OUT } from '../../domain/claims.ts'
import { MunimentError } from '../../domain/errors.ts'
import { type Ref, splitRef } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { ReportBody, ReportTopic } from '../../domain/kinds/report.ts'
import { label } from '../../domain/labels.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Batch } from '../../domain/waist.ts'
import type { WriteResult } from '../../domain/write.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { forComponents, openSealed } from '../read/memory-view.ts'
import type { Moment } from '../world.ts'
import { libCaller } from '../write/arguments.ts'
import type { Committed } from '../write/write.ts'
import type { WriteRequest } from '../write/write-request.ts'
import type { Hook } from './component-calls.ts'
import type { ComponentRegistry } from './component-registry.ts'

interface ReportKey {
  readonly topic: ReportTopic
  readonly about: string
}

/** The write of a report: the stack observed the facts, so the label is first-hand. */
export const reportRequest = (
  { stackId }: Pick<Engine, 'stackId'>,
  { topic, about }: ReportKey,
  fields: JsonObject,
): WriteRequest<'report'> => ({
  kind: 'report',
  body: { topic, about, fields },
  provenance: {
    sourceType: 'observation',
    label: label.firstHand(),
    sourceId: `${stackId}:host`,
    ingestionPath: `lib:${topic}`,
    confidence: 1,
    llmModel: null,
  },
})

/** The latest report of a key; null without one. */
export async function latestReport(
  { read }: Pick<Engine, 'read'>,
  { topic, about }: ReportKey,
): Promise<JsonObject | null> {
  const where = { subtype: topic, name: about }
  const [stored] = await read({
    type: 'memories',
    where: { ...where, kind: 'report', present: true },
    limit: 1,
  })
  return stored ? fieldsOf(stored) : null
}

/** Every report of a topic, newest first, until the consumer stops. */
export async function* reportsOf(
  { read }: Pick<Engine, 'read'>,
  topic: ReportTopic,
): AsyncGenerator<StoredMemory> {
  for (let before: number | null = null; ; ) {
    const page: readonly StoredMemory[] = await read({
      type: 'memories',
      where: { kind: 'report', present: true, subtype: topic },
      after: before,
      limit: PAGE,
    })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    before = last.state.seq
  }
}

const PAGE = 100

const reportBody = ({ sealed }: StoredMemory): ReportBody =>
  (sealed ? openSealed(sealed).body : NOTHING) as ReportBody // parsed before sealing

export const fieldsOf = (stored: StoredMemory): JsonObject =>
  reportBody(stored).fields as JsonObject // a JSON object by its schema

const NOTHING = { topic: 'component', about: '', fields: {} }

export async function tellSaved(
  engine: Engine,
  registry: ComponentRegistry,
  { written, genesis }: { readonly written: Committed; readonly genesis: Policy },
): Promise<void> {
  if (written.refused || written.made === null || !registry.listens('onSave')) return
  const { batch, policy } = written.made
  const moment = { policy: policy ?? genesis, now: engine.now() }
  for (const result of written.results) {
    await tellComponents(engine, registry, { result, batch, moment })
  }
}

/** The result of one write, its commit, and the moment for its numbers. */
interface Saved {
  readonly result: WriteResult
  readonly batch: Pick<Batch, 'memories' | 'sealed'>
  readonly moment: Moment
}

/**
 * Notifies components of the memories of one write, captures first, and saves the returned fields
 * as annotations. Repeats and quarantined memories are skipped.
 */
async function tellComponents(
  engine: Pick<Engine, 'change' | 'read'>,
  registry: ComponentRegistry,
  { result, batch, moment }: Saved,
): Promise<void> {
  const { ref, captures, entry, reasons, disposition } = result
  if (ref === null || reasons.includes('already_saved') || KEPT_OUT.includes(disposition)) return
  // Reports of the stack are skipped, because they could trigger further reports.
  if (splitRef(ref).kind === 'report') return
  const told = [...captures, ref].filter((each) => registry.wantsSaved(splitRef(each).kind))
  if (told.length === 0) return
  const main = await savedIn(engine, batch, ref)
  if (main?.state.revisionSeq !== entry.seq) return
  for (const each of told) {
    const stored = each === ref ? main : await savedIn(engine, batch, each)
    // New captures come directly before the memory; other captures existed before.
    const isNew = each === ref || (stored && stored.state.seq >= entry.seq - captures.length)
    if (stored && isNew) await tellOne(engine, registry, forComponents(stored, moment))
  }
}

/** The committed state; the store is read only for annotations of earlier commits. */
async function savedIn(
  engine: Pick<Engine, 'read'>,
  { memories, sealed }: Saved['batch'],
  ref: Ref,
): Promise<StoredMemory | null> {
  const state = memories.find((memory) => memory.ref === ref)
  if (state && Object.keys(state.notes).length > 0) return engine.read({ type: 'memory', ref })
  const row = state && sealed.find(({ seq }) => seq === state.revisionSeq)
  return row ? { state, sealed: row, notes: [] } : null
}

async function tellOne(
  engine: Pick<Engine, 'change'>,
  registry: ComponentRegistry,
  memory: ReturnType<typeof forComponents>,
): Promise<void> {
  const { kind, id, ref } = memory
  const noted = await registry.dispatchSave({ kind, id, ref, memory })
  for (const [name, fields] of Object.entries(noted ?? {})) {
    const change = { type: 'annotate', by: name, fields } as const
    const by = {
      label: label.modelDerived(),
      actor: `component:${name}`,
      caller: libCaller('annotate'),
    }
    try {
      await engine.change({ ref, change, ...by })
    } catch (cause) {
      // The memory is saved: a failed annotation concerns the component, not the caller.
      if (!(cause instanceof MunimentError)) throw cause
      registry.fault(name, 'onSave', cause)
    }
  }
}

/** Failing hooks by component. */
export type Failing = Readonly<Record<string, readonly string[]>>

/**
 * Writes failing hooks to the ledger, so that other processes can name them; messages are left out,
 * because they may contain words of a memory. A failure is written after the next save and its end
 * in maintenance, so that a flickering failure does not fill the ledger.
 */
export class ComponentFailures {
  readonly #registry: ComponentRegistry
  #isTelling = false

  constructor(registry: ComponentRegistry) {
    this.#registry = registry
  }

  /** After a save: writes new failures. */
  async tellNew(engine: Engine): Promise<void> {
    if (!this.#registry.hasNewFailures || this.#isTelling) return
    await this.#tell(engine, ({ failing, told }) => new Set([...told, ...failing]))
  }

  /** In maintenance: writes present failures, and confirmed ends of failures. */
  async tellAll(engine: Engine): Promise<void> {
    await this.#tell(engine, ({ about, failing, told }) => {
      const standing = [...told].filter((hook) => !this.#registry.isOver(about, hook))
      return new Set([...standing, ...failing])
    })
  }

  async #tell(engine: Engine, merge: Merge): Promise<void> {
    this.#isTelling = true // prevents recursion: a report is a save too
    try {
      await this.#write(engine, merge)
    } finally {
      this.#isTelling = false
    }
  }

  async #write(engine: Engine, merge: Merge): Promise<void> {
    const failing = this.#registry.takeFailing()
    const known = setsOf(await failingIn(engine)) // another process may have written since
    for (const about of new Set([...failing.keys(), ...known.keys()])) {
      const told = known.get(about) ?? NONE
      const now = merge({ about, failing: failing.get(about) ?? NONE, told })
      if (isSame(now, told)) continue
      const request = reportRequest(engine, { topic: 'failure', about }, { hooks: [...now].sort() })
      if (!(await isWritten(engine, request))) return
    }
  }
}

type Merge = (of: {
  readonly about: string
  readonly failing: ReadonlySet<string>
  readonly told: ReadonlySet<string>
}) => ReadonlySet<string>

const NONE: ReadonlySet<Hook> = new Set()

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((each) => b.has(each))

const setsOf = (failing: Failing): Map<string, ReadonlySet<string>> =>
  new Map(Object.entries(failing).map(([name, hooks]) => [name, new Set(hooks)]))

/** A stack without writes postpones the report: a failure report must break no operation. */
async function isWritten(
  engine: Engine,
  request: ReturnType<typeof reportRequest>,
): Promise<boolean> {
  try {
    await engine.write(request as never, libCaller('failure')) // a request of its own kind
    return true
  } catch (cause) {
    if (cause instanceof MunimentError) return false
    throw cause
  }
}

/** The last reported failures of each component. */
export async function failingIn(engine: Pick<Engine, 'read'>): Promise<Failing> {
  const latest = new Map<string, readonly string[]>()
  for await (const stored of reportsOf(engine, 'failure')) {
    const { about, fields } = reportBody(stored)
    if (latest.has(about)) continue
    const { hooks } = fields as { readonly hooks?: unknown } // written above
    latest.set(about, Array.isArray(hooks) ? hooks.map(String) : [])
  }
  return Object.fromEntries([...latest].filter(([, hooks]) => hooks.length > 0))
}
