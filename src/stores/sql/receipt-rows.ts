import type { Door, Tier } from '../../domain/doors.ts'
import type { MemoryId, Ref } from '../../domain/ids.ts'
import type { Instant } from '../../domain/time.ts'
import type { IdempotentRequest, KeptReceipt, Receipt, ServedPrint } from '../../ports/receipts.ts'
import type { SqlRow } from './dialect.ts'

/** Written by `begin` and by nobody else. */
export const askedOf = ([key, print, id, at, answer]: SqlRow): IdempotentRequest => ({
  key: String(key),
  print: String(print),
  id: String(id) as MemoryId,
  at: String(at) as Instant,
  answer: answer === null ? null : String(answer),
})

const WORD_BYTES = 4

/** Little-endian on every machine, because a file may move to another machine. */
export function printBytes(print: Uint32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(print.length * WORD_BYTES))
  for (let at = 0; at < print.length; at += 1) view.setUint32(at * WORD_BYTES, print[at] ?? 0, true)
  return new Uint8Array(view.buffer)
}

export function printIn(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const print = new Uint32Array(Math.floor(bytes.byteLength / WORD_BYTES))
  for (let at = 0; at < print.length; at += 1) print[at] = view.getUint32(at * WORD_BYTES, true)
  return print
}

export const toldOf = ([ref, bytes]: SqlRow): readonly ServedPrint[] =>
  bytes instanceof Uint8Array ? [{ ref: String(ref) as Ref, print: printIn(bytes) }] : []

/** A receipt whose last column is the print. */
export function keptOf(row: SqlRow): KeptReceipt {
  const bytes = row.at(-1)
  return { receipt: receiptOf(row), print: bytes instanceof Uint8Array ? printIn(bytes) : null }
}

/** Written by `record` and by nobody else. */
export const receiptOf = ([
  time,
  session,
  turn,
  actor,
  door,
  operation,
  ref,
  tier,
]: SqlRow): Receipt => ({
  time: String(time) as Instant,
  session: String(session),
  turn: turn === null ? null : String(turn),
  actor: String(actor),
  door: String(door) as Door,
  operation: String(operation),
  ref: String(ref) as Ref,
  tier: Number(tier) as Tier,
})
