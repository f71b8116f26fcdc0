import { assert } from '../../domain/errors.ts'
import type { TextRow } from '../../domain/kinds/content.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Head, isSameHead } from '../../domain/waist.ts'
import type { CommitResult, Derived } from '../../ports/store.ts'
import { policiesOf } from '../sql/entry-rows.ts'
import { assertWhole, lastEntry, moveHead, PUT_POLICY, putEdges, putMemories } from './commit.ts'
import type { Connection } from './connection.ts'
import { putWords, wordRowsOf } from './derived-rows.ts'
import { POSTGRES } from './dialect.ts'

const CLEARED = [
  'edges',
  'absent',
  'memories',
  'policies',
  'vectors',
  'vector_models',
  'postings',
  'words',
] as const

const FORGET_COUNTS = 'UPDATE stacks SET documents = 0, lengths = 0 WHERE stack_id = $1'

const AT_ONCE = 1_000 // rows put in at a time

interface Replacing {
  readonly derived: Derived
  readonly expected: Head
  readonly mark: string
}

/** Replaces the derived rows with rows folded anew (STORE-REBUILD). */
export async function replaceDerived(
  connection: Connection,
  { derived, expected, mark }: Replacing,
): Promise<CommitResult> {
  const { head } = (await connection.standing()).tip
  if (!isSameHead(head, expected)) return { committed: false, head }
  assert(derived.tip.head.rev === expected.rev + 1, 'every commit raises rev by one')
  assertWhole(derived.tip.head, await lastEntry(connection))
  for (const table of CLEARED) {
    await connection.rows(`DELETE FROM ${table} WHERE stack_id = $1`)
  }
  for (const { hash, seq } of await connection.run(policiesOf(POSTGRES))) {
    await connection.rows(PUT_POLICY, hash, seq)
  }
  await connection.rows(FORGET_COUNTS)
  for (const some of inParts<MemoryState>(derived.states)) {
    await putMemories(connection, some)
    await putEdges(connection, some, { lastSeq: -1, keys: new Map(), mayAdopt: true })
  }
  let [documents, lengths] = [0, 0]
  for (const some of inParts<TextRow>(derived.texts)) {
    const words = wordRowsOf(some)
    await putWords(connection, words, -1)
    documents += words.documents
    lengths += words.lengths
  }
  await moveHead(connection, { ...derived, words: { documents, lengths }, expected, mark })
  return { committed: true }
}

function* inParts<Row>(rows: Iterable<Row>): Generator<readonly Row[]> {
  let some: Row[] = []
  for (const row of rows) {
    some.push(row)
    if (some.length < AT_ONCE) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
