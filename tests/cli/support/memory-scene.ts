import { openStack } from '../../../src/compose/open-stack.ts'
import { parseStackId } from '../../../src/domain/ids.ts'
import type { Scene } from '../../../src/doors/cli/host.ts'
import { MemoryStore } from '../../../src/stores/memory/store.ts'

/** The demo's stage in memory. */
export function memoryScene(): Scene {
  const store = new MemoryStore()
  const { sealed } = store.rows(parseStackId('demo'))
  let ahead = 0
  return {
    open: () => openStack('demo', { store, clock: { now: () => Date.now() + ahead } }),
    later: (ms) => {
      ahead += ms
    },
    vandalise: async (from, to) => {
      for (const [seq, row] of sealed) {
        const text = new TextDecoder().decode(row.bytes).replaceAll(from, to)
        sealed.set(seq, { ...row, bytes: new TextEncoder().encode(text) })
      }
      return 'in memory'
    },
    close: () => {},
  }
}
