import { MunimentError } from '../../domain/errors.ts'
import { type Hash, isHash, type Ref } from '../../domain/ids.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { Engine, Erasing } from '../engine.ts'
import { ELSEWHERE_MIN, type StackParts } from '../parts.ts'
import type { Committed } from '../write/write.ts'
import { bornWith } from './erasure-plan.ts'

type Reads = Pick<Engine, 'read'>

/** Tombstones of a memory and of all memories of its units. */
export async function marksOf(engine: Reads, ref: Ref): Promise<readonly Hash[]> {
  const rows = await engine.read({ type: 'entries', about: ref })
  if (rows.length === 0) {
    throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
  }
  const marks = new Set<Hash>()
  for (const each of await bornWith(engine, ref)) {
    for (const { bytes } of await engine.read({ type: 'entries', about: each })) {
      for (const mark of marksIn(bytes)) marks.add(mark)
    }
  }
  return [...marks]
}

function marksIn(bytes: Uint8Array): readonly Hash[] {
  const { tombstone, tombstones } = readEntry(bytes).decision.facts
  return [tombstone, ...(Array.isArray(tombstones) ? tombstones : [])].filter(isHash)
}

/** Adds the ref of the memory behind a tombstone, because a person readmits words by ref. */
export async function namingWhatKeepsOut(engine: Reads, written: Committed): Promise<Committed> {
  if (!written.refused || written.result.rule !== 'tombstone') return written
  const ref = await keptOutBy(engine, written.result.entry.seq)
  if (ref === null) return written
  const hint = `A person can readmit them: readmit("${ref}").`
  return { ...written, result: { ...written.result, hint, keptOutBy: ref } }
}

/** Null where the matching tombstone was lifted since: another tombstone matches now. */
async function keptOutBy({ read }: Reads, refusal: number): Promise<Ref | null> {
  const [refused] = await read({ type: 'entries', from: refusal, limit: 1 })
  const marks = refused ? marksIn(refused.bytes) : []
  const stones = await read({ type: 'table', name: 'tombstones' })
  const stone = stones.find(({ mark }) => marks.includes(mark))
  if (stone === undefined) return null
  const [laid] = await read({ type: 'entries', from: stone.seq, limit: 1 })
  return laid ? readEntry(laid.bytes).ref : null
}

interface Gate {
  readonly tombstoneKey: Erasing['tombstoneKey']
  readonly forgetReceipts: Erasing['forgetReceipts']
  readonly submit: Engine['submit']
}

export const erasingOn = (
  { world, store, stackId, scrubElsewhere }: StackParts,
  { tombstoneKey, forgetReceipts, submit }: Gate,
): Erasing => {
  let lastFault: string | null = null
  return {
    tombstoneKey,
    erase: (request) => submit('erase', request),
    keepOut: async ({ tombstones: marks, basis }, by) =>
      (await submit('keepOut', { marks, basis, ...by })).entry,
    readmit: async (marks, actor, caller) =>
      (await submit('readmit', { marks, actor, caller })).entry,
    forgetReceipts,
    scrub: async () => {
      const { tip } = await store.read(stackId, { type: 'standing' })
      const isLong = scrubElsewhere && tip.head.seq >= ELSEWHERE_MIN
      return isLong ? scrubElsewhere() : store.scrub(stackId)
    },
    failed: (fault) => {
      lastFault = fault
    },
    fault: () => lastFault,
    known: (uid) => world.keyring.erasures(uid),
    note: (uid, erasures) => world.keyring.noteErasures(uid, erasures),
  }
}
