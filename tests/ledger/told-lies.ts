// Each kind of entry tells one lie about each of its members, and both verifiers are asked.

import type { History } from './history.ts'
import type { Lie } from './lies.ts'
import { isObject } from './naive-canonical.ts'
import {
  auditOutcome,
  type Copy,
  copyOf,
  type EntryRow,
  isNoticed,
  type Members,
  membersOf,
  type Outcome,
  rowAt,
  withMembers,
} from './vandal.ts'

export type Told = { told: string; isNaivelySeen: boolean; audit: Outcome }

/** The lies about a member take turns, so that one kind of entry tells one and the next another. */
export async function tellLies(
  history: History,
  liesOf: (truth: Members) => Lie[],
  repair: (copy: Copy, seq: number) => void,
): Promise<Told[]> {
  const told: Told[] = []
  for (const row of onePerClass(history)) {
    const truth = membersOf(row)
    if (liesOf(truth).length === 0) continue
    for (const [member, lies] of grouped(liesOf(truth), (lie) => lie.member)) {
      const lie = lies[told.length % lies.length]
      if (lie === undefined) continue
      const copy = copyOf(history)
      copy.rows.entries[row.seq] = withMembers(rowAt(copy.rows, row.seq), lie.members)
      repair(copy, row.seq)
      const isNaivelySeen = isNoticed(copy)
      const value = JSON.stringify(lie.members[member] ?? lie.members.decision)
      const name = `${row.seq} ${truth.op}: ${member} = ${value?.slice(0, 160)}`
      told.push({ told: name, isNaivelySeen, audit: await auditOutcome(copy) })
    }
  }
  return told
}

/** Entries that no rule, answer or fact tells apart would only repeat one another. */
export function onePerClass({ store, stack }: History): EntryRow[] {
  const classOf = ({ op, decision }: Members): string => {
    if (!isObject(decision) || !isObject(decision.facts)) return ''
    return JSON.stringify([op, decision.rule, decision.disposition, Object.keys(decision.facts)])
  }
  const { entries } = store.rows(stack.stackId)
  const isErasure = ({ op }: Members): boolean => op === 'memory.erased'
  const erased = new Set(
    entries
      .map(membersOf)
      .filter(isErasure)
      .map(({ ref }) => ref),
  )
  // Of what was erased little can be looked into any more: others of the kind are lied about first.
  const isWhole = (row: EntryRow): boolean => {
    const text = JSON.stringify(membersOf(row))
    return ![...erased].some((ref) => text.includes(String(ref)))
  }
  const classes = grouped(entries, (row) => classOf(membersOf(row)))
  return [...classes.values()].flatMap((rows) => rows.find(isWhole) ?? rows.slice(0, 1))
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** Does it to a fresh copy at every position and says where nobody noticed. */
export async function unnoticed(
  history: History,
  positions: readonly number[],
  vandalise: (copy: Copy, position: number) => void,
): Promise<string[]> {
  const missed: string[] = []
  for (const position of positions) {
    const copy = copyOf(history)
    vandalise(copy, position)
    if (!isNoticed(copy)) missed.push(`naive at ${position}`)
    if ((await auditOutcome(copy)) === 'ok') missed.push(`audit at ${position}`)
  }
  return missed
}
