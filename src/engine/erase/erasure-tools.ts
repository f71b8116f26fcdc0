import type { Erasing } from '../engine.ts'
import { ELSEWHERE_MIN, type StackParts } from '../parts.ts'
import type { Writing } from '../write/write.ts'

interface Gate {
  readonly tombstoneKey: Erasing['tombstoneKey']
  readonly forgetReceipts: Erasing['forgetReceipts']
  /** Throws once the stack takes no more writes. */
  readonly writing: () => Writing
}

/** Connects erasures to the store, the gate and the keyring of a stack. */
export const erasingOn = (
  { world, store, stackId, scrubElsewhere }: StackParts,
  { tombstoneKey, forgetReceipts, writing }: Gate,
): Erasing => {
  let lastFault: string | null = null
  return {
    tombstoneKey,
    erase: async (request) => writing().erase(request),
    keepOut: async (erasure, by) => writing().keepOut(erasure, by),
    readmit: async (marks, actor, caller) => writing().readmit(marks, actor, caller),
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
