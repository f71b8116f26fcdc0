import { type Decision, type Entry, isChangeOp } from '../domain/entry.ts'
import { LimitError, MunimentError } from '../domain/errors.ts'
import type { Ref, StackId } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Instant } from '../domain/time.ts'
import { readEntry } from '../hash/ledger.ts'
import { distancesFrom, rootsFirst } from '../lineage/order.ts'
import type { MetMemory, ReadQuery, Store } from '../ports/store.ts'
import { viewsOf } from './confidence-history.ts'
import { type Memory, openNote } from './memory-view.ts'
import type { Moment } from './uses.ts'

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
  /** The words that were given for it, where it is a change and somebody gave any. */
  readonly text: string | null
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

/** Reading with a moment, by which numbers are read. */
export interface Looking extends Reading {
  readonly at: Moment
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
export async function trace(reading: Looking, ref: Ref): Promise<readonly LineageStep[]> {
  const found = await walk(reading, ref, 'up')
  const nodes = new Map(
    found.map((stored) => [
      stored.state.ref,
      { ref: stored.state.ref, parents: stored.state.parents, stored },
    ]),
  )
  const steps = rootsFirst(ref, nodes)
  const views = await viewsOf(
    reader(reading),
    steps.map(({ node }) => node.stored),
    reading.at,
  )
  return steps.flatMap(({ node, distance }, index) => {
    const memory = views[index]
    return memory ? [{ memory, distance, parents: node.parents }] : []
  })
}

const reader = ({ store, stackId }: Reading) => ({
  read: <Q extends ReadQuery>(query: Q) => store.read(stackId, query),
})

/** Everything that was made from a memory, nearest first, without the memory itself. */
export async function impact(reading: Looking, ref: Ref): Promise<readonly LineageStep[]> {
  const found = await walk(reading, ref, 'down')
  const children = new Map<Ref, Ref[]>()
  for (const { state } of found) {
    for (const parent of state.parents) {
      children.set(parent, [...(children.get(parent) ?? []), state.ref])
    }
  }
  const distances = distancesFrom(ref, (of) => children.get(of) ?? [])
  const others = found.filter(({ state }) => state.ref !== ref)
  const views = await viewsOf(reader(reading), others, reading.at)
  return others
    .flatMap(({ state }, index) => {
      const memory = views[index]
      const distance = distances.get(state.ref) ?? 0
      return memory ? [{ memory, distance, parents: state.parents }] : []
    })
    .sort((a, b) => a.distance - b.distance || a.memory.entry.seq - b.memory.entry.seq)
}

export async function why(reading: Looking, ref: Ref): Promise<Why> {
  const lineage = await trace(reading, ref)
  const own = lineage.at(-1)
  if (!own) throw notFound(ref)
  const rows = await reading.store.read(reading.stackId, { type: 'entriesAbout', ref })
  const entries = rows.map(({ bytes }) => readEntry(bytes))
  const birth = entries.find(({ op, revision }) => op === 'memory.saved' || revision === 1)
  return {
    memory: own.memory,
    lineage,
    changes: await Promise.all(
      entries.map(async (entry): Promise<Change> => {
        const { seq, time, op, door, label, decision } = entry
        return { seq, time, op, door, label, decision, text: await wordsOf(reading, entry) }
      }),
    ),
    letInBy: {
      rule: birth?.decision.rule ?? null,
      seq: birth?.seq ?? own.memory.entry.seq,
      policy: birth?.policy ?? null,
    },
  }
}

/** What a birth or revision sealed is the memory itself; what a change sealed is said of it. */
async function wordsOf(
  { store, stackId }: Reading,
  { op, seq, commitment }: Entry,
): Promise<string | null> {
  if (commitment === null || !isChangeOp(op)) return null
  const [row] = await store.read(stackId, { type: 'sealed', from: seq, to: seq })
  return row ? openNote(row).text : null
}
