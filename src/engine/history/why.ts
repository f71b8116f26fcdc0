import type { Tier } from '../../domain/doors.ts'
import type { Decision, Entry } from '../../domain/entry.ts'
import { assert, LimitError, MunimentError } from '../../domain/errors.ts'
import type { Ref, StackId } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Instant } from '../../domain/time.ts'
import { distancesFrom, type LineageNode, rootsFirst } from '../../fold/lineage.ts'
import type { MetMemory, Store, StoredMemory } from '../../ports/store.ts'
import { disagreeingWith } from '../claims/verdict.ts'
import type { Engine } from '../engine.ts'
import { type AsOf, memoryAsOf, momentAsOf, type Past } from '../read/as-of.ts'
import {
  type AnnotationReader,
  annotationReader,
  type LineageStep,
  type Memory,
  type NumberChange,
} from '../read/memory-view.ts'
import { toldEntry } from '../read/merged-steps.ts'
import type { ReadBy } from '../read/served.ts'
import type { UseOptions } from '../read/use-gate.ts'
import { assertWritten } from '../read/written-words.ts'
import type { Moment } from '../world.ts'
import { changesIn, viewsOf } from './histories.ts'
import { type WriteTurn, writeTurnOf } from './write-turn.ts'

/** One entry of the ledger about a memory. */
export interface Change {
  readonly seq: number
  readonly time: Instant
  readonly op: Entry['op']
  readonly door: Entry['door']
  readonly label: Entry['label']
  readonly decision: Decision
  readonly text: string | null
  /** Tier of the words; null without words. */
  readonly tier: Tier | null
}

/** The explanation of a memory: sources, evidence, changes and the admitting rule. */
export interface Why {
  readonly memory: Memory
  /** All ancestors, roots first, the memory last. */
  readonly lineage: readonly LineageStep[]
  /** Supporting memories outside the lineage. */
  readonly evidence: readonly Memory[]
  /** For a claim, today: claims of any tier with another value for the same time. */
  readonly disagreeing: readonly Memory[]
  readonly changes: readonly Change[]
  readonly confidenceHistory: readonly NumberChange[]
  readonly strengthHistory: readonly NumberChange[]
  readonly letInBy: {
    readonly rule: string | null
    readonly seq: number
    readonly policy: string | null
    readonly door: Entry['door']
  }
  /** The turn of the write: context, and no source. Null where none is recorded. */
  readonly turn: WriteTurn | null
  /** The last entry that counts, for a question about the past. */
  readonly asOf: { readonly seq: number; readonly time: Instant } | null
}

/** The moment and the reader of an explanation. */
export interface ExplainOptions extends ReadBy, UseOptions {
  /** Knowledge as of an entry number or a time. */
  readonly asOf?: AsOf
}

export interface Reading {
  readonly stackId: StackId
  readonly store: Pick<Store, 'read'>
}

const notFound = (ref: Ref): MunimentError =>
  new MunimentError('not_found', `${ref} does not exist in this stack.`, { facts: { ref } })

const tooFar = (): LimitError =>
  new LimitError('lineageVisitMax', LIMITS.lineageVisitMax, LIMITS.lineageVisitMax + 1)

type Met = MetMemory | StoredMemory

async function walk(
  engine: Engine,
  ref: Ref,
  direction: 'up' | 'down',
): Promise<readonly MetMemory[]> {
  const visitMax = LIMITS.lineageVisitMax
  const found = await engine.read({ type: 'lineage', ref, direction, visitMax })
  if (found === null) throw tooFar()
  if (!found.some(({ state }) => state.ref === ref)) throw notFound(ref)
  return found
}

/** Ancestors as of the past, because a revision may have added sources since. */
async function walkAsOf(engine: Engine, ref: Ref, past: Past): Promise<readonly StoredMemory[]> {
  const seen = new Set<Ref>([ref])
  const found: StoredMemory[] = []
  for (const each of seen) {
    const stored = await memoryAsOf(engine, each, past)
    if (!stored) continue
    found.push(stored)
    for (const parent of stored.state.parents) seen.add(parent)
    if (seen.size > LIMITS.lineageVisitMax) throw tooFar()
  }
  if (!found.some(({ state }) => state.ref === ref)) throw notFound(ref)
  return found
}

interface Looked {
  readonly moment: Moment
  readonly past: Past | null
}

async function lookAt(engine: Engine, { asOf }: ExplainOptions): Promise<Looked> {
  await engine.checks.settled()
  if (asOf === undefined) return { moment: await engine.moment(), past: null }
  const past = await momentAsOf(engine, asOf)
  return { moment: past, past }
}

interface Node extends LineageNode {
  readonly stored: Met
}

/** All ancestors of a memory, roots first, the memory last. */
export async function trace(
  engine: Engine,
  ref: Ref,
  options: ExplainOptions = {},
): Promise<readonly LineageStep[]> {
  const { moment, past } = await lookAt(engine, options)
  const found: readonly Met[] = past
    ? await walkAsOf(engine, ref, past)
    : await walk(engine, ref, 'up')
  const nodes = found.map((stored): Node => {
    const { ref, parents } = stored.state
    return { ref, parents, stored }
  })
  const steps = rootsFirst(ref, nodes)
  const views = await viewsOf(
    engine,
    steps.map(({ node }) => node.stored),
    moment,
  )
  return steps.map(({ node: { parents }, distance }, index) => {
    const memory = views[index]
    assert(memory !== undefined, 'there is a view of every step')
    return { memory, distance, parents }
  })
}

/** The number of memories derived from a memory, counted without reading them. */
export async function impactCount(engine: Engine, ref: Ref): Promise<number> {
  const stored = await engine.read({ type: 'memory', ref })
  if (!stored) throw notFound(ref)
  const visitMax = LIMITS.lineageVisitMax
  const count = await engine.read({
    type: 'lineage',
    ref,
    direction: 'down',
    visitMax,
    as: 'count',
  })
  if (count === null) throw tooFar()
  return count
}

/** All memories derived from a memory, nearest first, without the memory. */
export async function impact(engine: Engine, ref: Ref): Promise<readonly LineageStep[]> {
  const found = await walk(engine, ref, 'down')
  const children = new Map<Ref, Ref[]>()
  for (const { state } of found) {
    for (const parent of state.parents) {
      children.set(parent, [...(children.get(parent) ?? []), state.ref])
    }
  }
  const distances = distancesFrom(ref, (of) => children.get(of) ?? [])
  const others = found.filter(({ state }) => state.ref !== ref)
  const views = await viewsOf(engine, others, await engine.moment())
  return others
    .flatMap(({ state }, index) => {
      const memory = views[index]
      const distance = distances.get(state.ref) ?? 0
      return memory ? [{ memory, distance, parents: state.parents }] : []
    })
    .sort((a, b) => a.distance - b.distance || a.memory.entry.seq - b.memory.entry.seq)
}

/** The whole answer to "why do you think that?", now or as of any moment. */
export async function why(engine: Engine, ref: Ref, options: ExplainOptions = {}): Promise<Why> {
  const { moment, past } = await lookAt(engine, options)
  const lineage = await trace(engine, ref, options)
  const own = lineage.at(-1)
  if (!own) throw notFound(ref)
  const rows = await engine.read({ type: 'entries', about: ref })
  const isKnown = ({ seq }: { readonly seq: number }): boolean => past === null || seq <= past.seq
  const entries = rows.map(({ bytes }) => toldEntry(bytes)).filter(isKnown)
  const annotations = annotationReader(engine)
  const birth = entries.find(({ op, revision }) => op === 'memory.saved' || revision === 1)
  const evidence = await evidenceOf(engine, own.memory, { moment, past })
  const others = past === null ? await disagreeing(engine, ref, moment) : []
  const shown = [...lineage.map(({ memory }) => memory), ...evidence, ...others]
  await assertWritten(
    engine,
    [...entries, ...shown.map(({ entry }) => entry)].map(({ seq }) => seq),
  )
  return {
    memory: own.memory,
    lineage,
    evidence,
    disagreeing: others,
    changes: await Promise.all(entries.map((entry) => changeOf(annotations, entry))),
    confidenceHistory: own.memory.confidenceHistory,
    strengthHistory: (await changesIn(annotations, rows, 'strength')).filter(isKnown),
    letInBy: {
      rule: birth?.decision.rule ?? null,
      seq: birth?.seq ?? own.memory.entry.seq,
      policy: birth?.policy ?? null,
      door: birth?.door ?? null,
    },
    turn: await writeTurnOf(engine, lineage),
    asOf: past && { seq: past.seq, time: past.now },
  }
}

async function disagreeing(engine: Engine, ref: Ref, moment: Moment): Promise<readonly Memory[]> {
  const stored = await engine.read({ type: 'memory', ref })
  return stored ? viewsOf(engine, await disagreeingWith(engine, stored, moment), moment) : []
}

async function evidenceOf(
  engine: Engine,
  { evidence }: Memory,
  { moment, past }: Looked,
): Promise<readonly Memory[]> {
  const found = await Promise.all(
    evidence.map((ref) =>
      past ? memoryAsOf(engine, ref, past) : engine.read({ type: 'memory', ref }),
    ),
  )
  return viewsOf(
    engine,
    found.flatMap((stored) => stored ?? []),
    moment,
  )
}

async function changeOf(annotations: AnnotationReader, entry: Entry): Promise<Change> {
  const { seq, time, op, door, label, decision } = entry
  return { seq, time, op, door, label, decision, ...(await annotations.in(entry)) }
}
