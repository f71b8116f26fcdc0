import type { Ref } from '../../domain/ids.ts'
import type { ReadQuery, ReadResults } from '../../ports/store.ts'
import { type Dialect, written } from './dialect.ts'
import { descendants, doubtedStates, lineage } from './lineage.ts'
import { lineOf } from './lines.ts'
import { atMost, memories } from './memories.ts'
import { STORED, storedOf, WITH_SEALED } from './memory-rows.ts'
import { withNotes } from './notes.ts'
import { ENTRY, entryOf, type Untrusted } from './rows.ts'
import { matched, recalled } from './search.ts'
import { rowsOf, type Steps } from './steps.ts'
import { tableRows } from './tables.ts'
import { touched, vectorsOf } from './vectors.ts'

const MEMORY = written(
  (d) => `
  SELECT ${STORED(d)} FROM memories m ${WITH_SEALED(d)} WHERE ${d.inStack('m')} AND m.ref = ?`,
)
const ENTRIES = written(
  (d) => `
  SELECT ${ENTRY(d)} FROM provenance_log l
  WHERE ${d.inStack('l')} AND l.seq BETWEEN ? AND ? ORDER BY l.seq`,
)
const ENTRIES_ABOUT = written(
  (d) => `
  SELECT ${ENTRY(d)} FROM provenance_log l WHERE ${d.inStack('l')} AND l.ref = ? ORDER BY l.seq`,
)
const CHANGED = written(
  (d) => `
  SELECT ${d.item} FROM ${d.list('text')} WHERE EXISTS (
    SELECT 1 FROM provenance_log l WHERE ${d.inStack('l')} AND l.ref = ${d.item} AND l.seq > ?)
  ${d.inListOrder}`,
)
const COUNTS = written((d) => d.counts)

/** Queries that a store answers in its own way. */
type OfStore = Extract<ReadQuery, { type: 'standing' | 'begins' | 'run' | 'policy' | 'misfiled' }>

type Answer = ReadResults[keyof ReadResults]

const ID_CHARS = 36

/** Answers one query; the caller's type says which member of the union it is. */
export function* read(d: Dialect, query: Exclude<ReadQuery, OfStore>): Steps<Answer> {
  switch (query.type) {
    case 'memory':
      return (yield* withNotes(d, (yield* rowsOf(MEMORY(d), query.ref)).map(storedOf)))[0] ?? null
    case 'list': {
      const where = { ...query.where, kind: query.kind, present: true } as const
      const { before, limit } = query
      return yield* memories(d, {
        type: 'memories',
        as: 'stored',
        where,
        order: 'newest',
        after: before,
        limit,
      })
    }
    case 'onward': {
      const where = { ...query.where, kind: query.kind, present: true } as const
      const { after, limit } = query
      return yield* memories(d, {
        type: 'memories',
        as: 'stored',
        where,
        order: 'oldest',
        after,
        limit,
      })
    }
    case 'shelf': {
      const where = { ...query.where, kind: query.kind, present: true } as const
      const { by, behind, limit } = query
      return by === 'weight'
        ? yield* memories(d, {
            type: 'memories',
            as: 'section',
            where,
            order: 'heaviest',
            after: behind,
            limit,
          })
        : yield* memories(d, {
            type: 'memories',
            as: 'section',
            where,
            order: 'newest',
            after: behind?.seq ?? null,
            limit,
          })
    }
    case 'review': {
      const { kinds, before, limit } = query
      return yield* memories(d, {
        type: 'memories',
        as: 'stored',
        where: { review: kinds },
        order: 'newest',
        after: before,
        limit,
      })
    }
    case 'ungrounded': {
      const { among, before, limit, where } = query
      const filter = {
        ...where,
        ungrounded: true,
        ...(among === null ? {} : { refs: among }),
      } as const
      return yield* memories(d, {
        type: 'memories',
        as: 'stored',
        where: filter,
        order: 'newest',
        after: before,
        limit,
      })
    }
    case 'kept': {
      const { seqs, kinds, where, limit } = query
      return yield* memories(d, {
        type: 'memories',
        as: 'seq',
        where: { ...where, seqs, kinds },
        order: 'given',
        limit,
      })
    }
    case 'keyed':
      return yield* memories(d, {
        type: 'memories',
        as: 'stored',
        where: { seqs: query.seqs },
        order: 'given',
      })
    case 'saying':
      return yield* memories(d, {
        type: 'memories',
        as: 'state',
        where: { identity: query.identity },
        order: 'oldest',
      })
    case 'lines': {
      const { before, limit } = query
      return yield* memories(d, {
        type: 'memories',
        as: 'stored',
        where: { newestOfLine: true },
        order: 'newest',
        after: before,
        limit,
      })
    }
    case 'states': {
      const { after, limit } = query
      return yield* memories(d, {
        type: 'memories',
        as: 'state',
        where: {},
        order: 'oldest',
        after,
        limit,
      })
    }
    case 'resolve': {
      const { kind, part, limit } = query
      if (part.length > ID_CHARS || part.includes(':')) return []
      const where = { idPart: part, ...(kind === null ? {} : { kind }) }
      return yield* memories(d, { type: 'memories', as: 'ref', where, order: 'oldest', limit })
    }
    case 'match':
      return yield* matched(d, query)
    case 'recall':
      return yield* recalled(d, query)
    case 'vectors':
      return yield* vectorsOf(d, query.model)
    case 'touched':
      return yield* touched(d, query.after, query.limit)
    case 'line':
      return yield* lineOf(d, query)
    case 'entries': {
      const { from, limit } = query
      return (yield* rowsOf(ENTRIES(d), from, atMost(from + limit) - 1)).map(entryOf)
    }
    case 'entriesAbout':
      return (yield* rowsOf(ENTRIES_ABOUT(d), query.ref)).map(entryOf)
    case 'changed': {
      const changed = yield* rowsOf(CHANGED(d), d.listValue(query.refs), query.after)
      return changed.map(([ref]) => ref as Untrusted<Ref>)
    }
    case 'descendants':
      return yield* descendants(d, query)
    case 'doubted':
      return yield* doubtedStates(d, query.what, query.visitMax)
    case 'lineage':
      return yield* lineage(d, query)
    case 'counts':
      return Object.fromEntries(yield* rowsOf(COUNTS(d))) as Untrusted<ReadResults['counts']>
    case 'sealed':
      return (yield* tableRows(d, { name: 'sealed', from: query.from, to: query.to })) as Answer
    case 'bursts':
      return (yield* tableRows(d, {
        name: 'bursts',
        after: query.after,
        limit: query.limit,
      })) as Answer
    case 'actorKeys':
    case 'tallies':
    case 'tombstones':
    case 'erasures':
    case 'scrubs':
      return (yield* tableRows(d, { name: query.type })) as Answer
  }
}
