import { assert } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Head, isSameHead } from '../../domain/waist.ts'
import type { CommitResult, Derived } from '../../ports/store.ts'
import { policiesOf } from '../sql/policy.ts'
import { assertWhole, PUT_POLICY, putMemories, putStanding, putTexts } from './commit.ts'
import type { Connection } from './connection.ts'
import { SQLITE } from './dialect.ts'
import { WORDS } from './schema.ts'

// Deleting from a word index goes word by word; creating a new index is immediate.
const CLEAR = `
  DELETE FROM edges;
  DELETE FROM absent;
  DELETE FROM memories;
  DELETE FROM policies;
  DELETE FROM vectors;
  DELETE FROM vector_models;
  DROP TABLE IF EXISTS words;
  ${WORDS};`

const AT_ONCE = 1_000 // states put in at a time

/** Replaces the derived rows with rows folded anew (STORE-REBUILD). */
export function replaceDerived(
  connection: Connection,
  stack: StackId,
  { derived, expected }: { readonly derived: Derived; readonly expected: Head },
): CommitResult {
  const { head } = connection.standing(stack).tip
  if (!isSameHead(head, expected)) return { committed: false, head }
  assert(derived.tip.head.rev === expected.rev + 1, 'every commit raises rev by one')
  assertWhole(connection, derived.tip.head)
  connection.db.exec(CLEAR)
  for (const { hash, seq } of connection.run(policiesOf(SQLITE))) {
    connection.prepare(PUT_POLICY).run(hash, seq)
  }
  let some: MemoryState[] = []
  for (const state of derived.states) {
    some.push(state)
    if (some.length < AT_ONCE) continue
    putMemories(connection, some, -1)
    some = []
  }
  putMemories(connection, some, -1)
  putTexts(connection, derived.texts, -1)
  putStanding(connection, stack, derived)
  connection.noteWritten()
  return { committed: true }
}
