import type { Decision, Entry } from '../domain/entry.ts'
import { LimitError, MunimentError } from '../domain/errors.ts'
import type { Ref, StackId } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Instant } from '../domain/time.ts'
import { readEntry } from '../hash/ledger.ts'
import { distancesFrom, rootsFirst } from '../lineage/order.ts'
import type { MetMemory, Store } from '../ports/store.ts'
import { type Memory, viewOf } from './memory-view.ts'

/** One memory on the way from a belief to the words it rests on. */
export interface LineageStep {
  readonly memory: Memory
  /** Steps from the memory that was asked about. */
  readonly distance: number
  readonly parents: readonly Ref[]
}

/** One thing the ledger says about a memory. */
export interface Change {
  readonly seq: number
  readonly time: Instant
  readonly op: Entry['op']
  readonly door: Entry['door']
  readonly label: Entry['label']
  readonly decision: Decision
}

/** The three questions and the fourth: where from, from what, how changed, and under which rule. */
export interface Why {
  readonly memory: Memory
  readonly lineage: readonly LineageStep[]
  readonly changes: readonly Change[]
  readonly letInBy: {
    readonly rule: string | null
    readonly seq: number
    readonly policy: string | null
  }
}

export interface Reading {
  readonly stackId: StackId
  readonly store: Pick<Store, 'read'>
}

const notFound = (ref: Ref): MunimentError =>
  new MunimentError('not_found', `${ref} does not exist in this stack.`, { facts: { ref } })

async function walk(
  { store, stackId }: Reading,
  ref: Ref,
  direction: 'up' | 'down',
): Promise<readonly MetMemory[]> {
  const visitMax = LIMITS.lineageVisitMax
  const found = await store.read(stackId, { type: 'lineage', ref, direction, visitMax })
  if (found === null) throw new LimitError('lineageVisitMax', visitMax, visitMax + 1)
  if (!found.some(({ state }) => state.ref === ref)) throw notFound(ref)
  return found
}

/** Everything a memory was made from, roots first, itself last. */
export async function trace(reading: Reading, ref: Ref): Promise<readonly LineageStep[]> {
  const found = await walk(reading, ref, 'up')
  const nodes = new Map(
    found.map((stored) => [
      stored.state.ref,
      { ref: stored.state.ref, parents: stored.state.parents, stored },
    ]),
  )
  return rootsFirst(ref, nodes).map(({ node, distance }) => ({
    memory: viewOf(node.stored),
    distance,
    parents: node.parents,
  }))
}

/** Everything that was made from a memory, nearest first, without the memory itself. */
export async function impact(reading: Reading, ref: Ref): Promise<readonly LineageStep[]> {
  const found = await walk(reading, ref, 'down')
  const children = new Map<Ref, Ref[]>()
  for (const { state } of found) {
    for (const parent of state.parents) {
      children.set(parent, [...(children.get(parent) ?? []), state.ref])
    }
  }
  const distances = distancesFrom(ref, (of) => children.get(of) ?? [])
  return found
    .filter(({ state }) => state.ref !== ref)
    .map((stored) => ({
      memory: viewOf(stored),
      distance: distances.get(stored.state.ref) ?? 0,
      parents: stored.state.parents,
    }))
    .sort((a, b) => a.distance - b.distance || a.memory.entry.seq - b.memory.entry.seq)
}

export async function why(reading: Reading, ref: Ref): Promise<Why> {
  const lineage = await trace(reading, ref)
  const own = lineage.at(-1)
  if (!own) throw notFound(ref)
  const rows = await reading.store.read(reading.stackId, { type: 'entriesAbout', ref })
  const entries = rows.map(({ bytes }) => readEntry(bytes))
  const birth = entries.find(({ op, revision }) => op === 'memory.saved' || revision === 1)
  return {
    memory: own.memory,
    lineage,
    changes: entries.map(({ seq, time, op, door, label, decision }) => ({
      seq,
      time,
      op,
      door,
      label,
      decision,
    })),
    letInBy: {
      rule: birth?.decision.rule ?? null,
      seq: birth?.seq ?? own.memory.entry.seq,
      policy: birth?.policy ?? null,
    },
  }
}
