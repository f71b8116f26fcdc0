import type { Burst } from '../../domain/state.ts'
import type { BurstKey, Context, Needs } from '../../domain/waist.ts'
import { type Dialect, written } from './dialect.ts'
import { actorKeyOf, BURST, burstOf, SEALED, sealedOf, tombstoneOf } from './rows.ts'
import type { Steps } from './steps.ts'
import type { SqlRow, SqlValue } from './values.ts'

const ACTOR_KEYS = written(
  (d) => `
  SELECT a.actor, a.key, a.since
  FROM ${d.list(d.keyType)} ${d.one('actor_keys', d.keyColumn('actor'), d.item, 'a')}`,
)

const BURSTS = written((d) => `SELECT ${BURST(d)} FROM ${d.askedBursts}`)

const TOMBSTONES = written(
  (d) => `
  SELECT ${d.hex('t.mark')} AS mark, t.seq
  FROM ${d.list('bytea')} ${d.one('tombstones', 'mark', d.hashItem, 't')}`,
)

const WORDS = written(
  (d) => `
  SELECT ${SEALED(d)} FROM ${d.list('text')} ${d.one('memories', 'ref', d.item, 'm')}
    ${d.one('sealed', 'seq', 'm.revision_seq', 's')} ${d.inListOrder}`,
)

type Counters = Pick<Context, 'actorKeys' | 'bursts' | 'tombstones' | 'words'>

/** Rows that the gate needs beside memories and tallies; empty needs send no statement. */
export function* countersFor(d: Dialect, needs: Needs): Steps<Counters> {
  const { actors, bursts, tombstones, words } = needs
  const asked: [readonly unknown[], (d: Dialect) => string, () => readonly SqlValue[]][] = [
    [actors, ACTOR_KEYS, () => [d.keysValue(actors)]],
    [bursts, BURSTS, () => d.burstsValues(bursts)],
    [tombstones, TOMBSTONES, () => [d.hashesValue(tombstones)]],
    [words, WORDS, () => [d.listValue(words)]],
  ]
  const wanted = asked.flatMap(([items], at) => (items.length > 0 ? [at] : []))
  const statements = asked
    .filter(([items]) => items.length > 0)
    .map(([, sql, values]) => ({ sql: sql(d), values: values() }))
  const answers = statements.length === 0 ? [] : yield statements
  const answerTo = (at: number): readonly SqlRow[] => answers[wanted.indexOf(at)] ?? []
  return {
    actorKeys: pick(actors, String, answerTo(0).map(actorKeyOf), ({ actor }) => actor),
    bursts: pick(bursts, burstKey, answerTo(1).map(burstOf), burstKey),
    tombstones: pick(tombstones, String, answerTo(2).map(tombstoneOf), ({ mark }) => mark),
    words: answerTo(3).map(sealedOf),
  }
}

const burstKey = ({ actor, identity }: BurstKey | Burst): string => `${identity} ${actor}`

/** Returns the rows in the order of the keys, once for each repeated key. */
function pick<Key, Row>(
  asked: readonly Key[],
  nameOf: (key: Key) => string,
  found: readonly Row[],
  rowName: (row: Row) => string,
): readonly Row[] {
  if (found.length === 0) return []
  const byName = new Map(found.map((row) => [rowName(row), row]))
  return asked.flatMap((key) => byName.get(nameOf(key)) ?? [])
}
