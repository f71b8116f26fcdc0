import type { Ref } from '../../domain/ids.ts'
import { isLinkedAnew, type MemoryState } from '../../domain/state.ts'
import type { Connection } from './connection.ts'

const DELETE_EDGES = 'DELETE FROM edges WHERE child = ?'
const PUT_EDGE = 'INSERT INTO edges (child, position, parent) VALUES (?, ?, ?)'
const PUT_EDGE_TO = `
  INSERT INTO edges (child, position, parent) SELECT ?, ?, seq FROM memories WHERE ref = ?`
const PUT_EDGE_TO_ABSENT = `
  INSERT INTO edges (child, position, parent) SELECT ?, ?, key FROM absent WHERE ref = ?`
const PUT_ABSENT = `
  INSERT INTO absent (key, ref) SELECT coalesce(min(key), 0) - 1, ? FROM absent WHERE true
  ON CONFLICT (ref) DO NOTHING`

/** Links memories to their parents; memories born after `lastSeq` have no links yet. */
export function putEdges(
  connection: Connection,
  memories: readonly MemoryState[],
  lastSeq: number,
): void {
  const born = memories.filter(({ seq }) => seq > lastSeq)
  const keys = new Map(born.map(({ ref, seq }) => [ref, seq]))
  adopt(connection, keys)
  for (const memory of memories) {
    if (!isLinkedAnew(memory, lastSeq)) continue
    const { seq, parents } = memory
    if (seq <= lastSeq) connection.prepare(DELETE_EDGES).run(seq)
    for (const [position, parent] of parents.entries()) {
      const key = keys.get(parent)
      if (key !== undefined) connection.prepare(PUT_EDGE).run(seq, position, key)
      else linkTo(connection, parent, { child: seq, position })
    }
  }
}

function linkTo(
  connection: Connection,
  parent: Ref,
  { child, position }: { readonly child: number; readonly position: number },
): void {
  if (connection.prepare(PUT_EDGE_TO).run(child, position, parent) > 0) return
  connection.prepare(PUT_ABSENT).run(parent)
  connection.prepare(PUT_EDGE_TO_ABSENT).run(child, position, parent)
}

const ABSENT = `
  SELECT a.key, a.ref FROM json_each(?) j CROSS JOIN absent a ON a.ref = j.value`
const RELINK = 'UPDATE edges SET parent = ? WHERE parent = ?'
const DELETE_ABSENT = 'DELETE FROM absent WHERE key = ?'

/** A ref cited before its birth is born now: the links to the ref get its key. */
function adopt(connection: Connection, born: ReadonlyMap<Ref, number>): void {
  if (connection.prepare('SELECT 1 FROM absent LIMIT 1').get() === undefined) return
  const found = connection.prepare(ABSENT).all(JSON.stringify([...born.keys()]))
  for (const [key = null, ref] of found) {
    const seq = born.get(ref as Ref) // the query asked for these very refs
    if (seq === undefined) continue
    connection.prepare(RELINK).run(seq, key)
    connection.prepare(DELETE_ABSENT).run(key)
  }
}
