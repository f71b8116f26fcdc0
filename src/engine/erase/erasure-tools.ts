import type { Engine, Erasing } from '../engine.ts'
import { ELSEWHERE_MIN, type StackParts } from '../parts.ts'

interface Gate {
  readonly tombstoneKey: Erasing['tombstoneKey']
  readonly forgetReceipts: Erasing['forgetReceipts']
  readonly submit: Engine['submit']
}

/** Connects erasures to the store, the gate and the keyring of a stack. */
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
