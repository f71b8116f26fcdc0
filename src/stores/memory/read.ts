import type { RecordKind, Ref } from '../../domain/ids.ts'
import type { BurstKey } from '../../domain/waist.ts'
import { byteOrder } from '../../ledger/byte-order.ts'
import type { LineageQuery, MetMemory, ReadQuery } from '../../ports/store.ts'
import type { TableQuery } from '../../ports/table-query.ts'
import { doubtedIn } from './doubted.ts'
import { lineIn } from './lines.ts'
import { memories, metOf, withSealed } from './memories.ts'
import { recalled } from './recalled-rows.ts'
import { type Rows, refIn } from './rows.ts'
import { runOf } from './run.ts'
import { touched, vectorsOf } from './vectors.ts'
import { begunBy, matches } from './words.ts'

export function readFrom(rows: Rows, query: ReadQuery): unknown {
  switch (query.type) {
    case 'standing': {
      const { policyHash } = rows.stack
      const policy = policyHash === null ? null : (rows.policies.get(policyHash) ?? null)
      return { tip: rows.tip, stack: rows.stack, policy }
    }
    case 'memory': {
      const state = rows.memories.get(query.ref)
      return state ? withSealed(rows, state) : null
    }
    case 'memories':
      return memories(rows, query)
    case 'match':
      return matches(rows, query).map(({ state, score }) => ({
        memory: withSealed(rows, state),
        score,
      }))
    case 'recall':
      return recalled(rows, query)
    case 'begins':
      return begunBy(rows, query.terms)
    case 'vectors':
      return vectorsOf(rows, query.model)
    case 'touched':
      return touched(rows, query.after, query.limit)
    case 'line':
      return lineIn(rows, query)
    case 'entries':
      return 'about' in query
        ? rows.entries.filter(({ bytes }) => refIn(bytes) === query.about)
        : rows.entries.slice(query.from, query.from + query.limit)
    case 'run':
      return runOf(rows, query)
    case 'policy':
      return rows.policies.get(query.hash) ?? null
    case 'lineage':
      return query.as === 'count' ? lineageCount(rows, query) : lineage(rows, query)
    case 'doubted':
      return doubtedIn(rows, query.what, query.visitMax)
    case 'counts':
      return counts(rows)
    case 'table':
      return tableRows(rows, query)
  }
}

function tableRows(rows: Rows, query: TableQuery): readonly unknown[] {
  switch (query.name) {
    case 'sealed':
      return [...rows.sealed.values()]
        .filter(({ seq }) => seq >= query.from && seq <= query.to)
        .sort((a, b) => a.seq - b.seq)
    case 'bursts': {
      const { after } = query
      return [...rows.bursts.values()]
        .filter((burst) => after === null || inBurstOrder(after, burst) < 0)
        .sort(inBurstOrder)
        .slice(0, query.limit)
    }
    case 'actorKeys':
    case 'tallies':
    case 'tombstones':
      return [...rows[query.name].values()]
    case 'erasures':
      return [...rows.erasures]
        .map(([seq, entry]) => ({ seq, entry }))
        .sort((a, b) => a.seq - b.seq)
    case 'misfiled':
      return [] // entries are found by their bytes
    case 'scrubs':
      return [...rows.scrubs].sort((a, b) => a - b)
  }
}

const inBurstOrder = (a: BurstKey, b: BurstKey): number =>
  byteOrder(a.identity, b.identity) || byteOrder(a.actor, b.actor)

function lineage(rows: Rows, query: LineageQuery): readonly MetMemory[] | null {
  const next = (ref: Ref): readonly Ref[] =>
    query.direction === 'up'
      ? (rows.memories.get(ref)?.parents ?? [])
      : (rows.children.get(ref) ?? [])
  const seen = new Set<Ref>([query.ref])
  for (const ref of seen) {
    for (const neighbour of next(ref)) seen.add(neighbour)
    if (seen.size > query.visitMax) return null
  }
  return [...seen].flatMap((ref) => rows.memories.get(ref) ?? []).map((state) => metOf(rows, state))
}

function lineageCount(rows: Rows, query: LineageQuery): number | null {
  const found = lineage(rows, query)
  return found && found.length - (rows.memories.has(query.ref) ? 1 : 0)
}

function counts(rows: Rows): Partial<Record<RecordKind, number>> {
  const byKind: Partial<Record<RecordKind, number>> = {}
  for (const { kind, erased } of rows.memories.values()) {
    if (erased === null) byKind[kind] = (byKind[kind] ?? 0) + 1
  }
  return byKind
}
