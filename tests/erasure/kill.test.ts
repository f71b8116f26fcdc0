import { expect } from 'vitest'
import { fileKeyring } from '../../src/compose/keyring.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Ref } from '../../src/domain/ids.ts'
import { Entity } from '../../src/index.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { seededDice } from '../../src/testing/world.ts'
import { ownFolder } from '../sqlite/support/folder.ts'
import { DEMO } from '../sqlite/support/history.ts'
import { startWriter } from '../sqlite/support/writer.ts'
import { forEachSeed } from '../support/each-seed.ts'
import { holds } from '../support/holds.ts'
import { foundIn, spellingsOf } from './scan.ts'

const RUNS = 8
const RUN_MS_MAX = 20_000
const KILL_AFTER_MS_MAX = 150

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

holds(
  ['ERASE-BYTES', 'LEDGER-APPEND', 'LEDGER-ATOMIC', 'STORE-ACKED'],
  'a process killed while it erases leaves the same head or a longer one, and the rest is finished',
  async () => {
    await forEachSeed(1, async (seed) => {
      const dice = seededDice(seed)
      const folder = ownFolder()
      const path = `${folder}/demo.db`
      const heads: { readonly seq: number; readonly hash: string }[] = []
      const gone = new Set<string>()
      for (let run = 0; run < RUNS; run += 1) {
        const { child, ready, erasing, ended } = startWriter({
          path,
          name: `agent-${run}`,
          kind: 'raw',
          writes: 100_000,
          atOnce: dice.pick([1, 8]),
          erases: true,
        })
        await (run % 2 === 0 ? ready : erasing) // before anything is erased, and after
        await later(dice.roll(KILL_AFTER_MS_MAX))
        child.kill('SIGKILL')
        const { erased, errors, stderr } = await ended
        expect({ errors, stderr }).toEqual({ errors: [], stderr: '' })
        for (const ref of erased) gone.add(ref)
        const store = new SqliteStore({ path })
        const stack = await openStack('demo', { store, keyring: fileKeyring(folder) }) // finishes it
        const { head, problems } = await stack.ledger.audit()
        expect(problems, `run ${run}`).toEqual([])
        expect(await store.read(DEMO, { type: 'table', name: 'scrubs' })).toEqual([])
        for (const { seq, hash } of heads) {
          const [row] = await store.read(DEMO, { type: 'entries', from: seq, limit: 1 })
          expect(row?.hash, 'never a fork').toBe(hash)
        }
        heads.push(head)
        for (const ref of gone) {
          const stored = await store.read(DEMO, { type: 'memory', ref: ref as Ref })
          expect(stored).toMatchObject({ state: { erased: { dated: false } }, sealed: null })
        }
        // What the kill came before is erased now; then nothing of any secret may be left. There is one
        // more, since a write that the kill cut off leaves words in the log that no memory answers for.
        const me = new Entity('my-agent')
        await me.attachStack(stack)
        await me.raw(`Zwickelfarbe, said once more after run ${run}`)
        for (const { ref, text } of await stack.list('raw', { limit: 1_000 })) {
          if (text.includes('Zwickelfarbe')) await stack.erasure.erase(ref)
        }
        expect(foundIn(folder, spellingsOf('wickelfarb')), `run ${run}`).toEqual([])
        await stack.close()
        await store.close()
      }
      expect(gone.size).toBeGreaterThan(0)
    })
  },
  RUNS * RUN_MS_MAX,
)
