import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { memoryKeyring } from '../../src/compose/keyring.ts'
import { Entity, MunimentError, openStack } from '../../src/index.ts'
import type { Store } from '../../src/ports/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { muniment } from '../cli/support/program.ts'
import { ownFolder } from '../sqlite/support/folder.ts'
import { holds } from '../support/holds.ts'

const SECRET = 'the code word is zwickelfarbe'

/** A store on a disk that breaks and is mended: cleaning the file fails meanwhile. */
function storeOnDisk(fault: () => Error | null): { readonly store: Store; close(): Promise<void> } {
  const disk = new SqliteStore({ path: `${ownFolder()}/demo.db` })
  const store = new Proxy<Store>(disk, {
    get: (target, name) => {
      if (name === 'scrub') {
        return async (...args: Parameters<Store['scrub']>) => {
          const broken = fault()
          if (broken) throw broken
          return target.scrub(...args)
        }
      }
      const member = Reflect.get(target, name) as unknown
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return { store, close: () => disk.close() }
}

const FAULTS: readonly Error[] = [
  new TypeError('a fault that nobody foresaw'),
  new MunimentError('store_unavailable', 'the disk does not answer'),
  new MunimentError('invariant', 'a page is not where it was'),
]

holds(
  'ERASE-BYTES',
  'an erasure whose files cannot be cleaned keeps no stack from opening, and is done when they can',
  async () => {
    for (const fault of FAULTS) {
      let broken: Error | null = fault
      const { store, close } = storeOnDisk(() => broken)
      const keyring = memoryKeyring()
      const first = await openStack('demo', { store, keyring })
      const agent = new Entity('my-agent')
      await agent.attachStack(first)
      const { ref } = await agent.note(SECRET)
      const erasure = await first.erasure.erase(String(ref))
      expect(erasure).toMatchObject({ scrubbed: false, certificate: null })
      expect(await first.getStats()).toMatchObject({ scrubsPending: 2 }) // the note and its capture
      await first.close()

      const second = await openStack('demo', { store, keyring })
      const other = new Entity('my-agent')
      await other.attachStack(second)
      const kept = await other.note('written while the disk is broken')
      expect(await second.getMemory('note', kept.id)).not.toBeNull()
      expect(await second.erasure.pending()).toEqual({ entries: 2, fault: fault.message })
      await expect(second.erasure.certificate(String(ref))).rejects.toMatchObject({
        code: 'store_busy',
        message: expect.stringContaining(fault.message),
      })
      expect(await second.maintenance()).toMatchObject({ stack: { scrubsPending: 2 } })

      broken = null
      expect(await second.maintenance()).toMatchObject({ stack: { scrubsPending: 0 } })
      expect(await second.erasure.pending()).toEqual({ entries: 0, fault: null })
      expect(await second.getStats()).not.toHaveProperty('scrubsPending')
      expect(await second.erasure.certificate(String(ref))).toMatchObject({
        entries: [expect.anything(), expect.anything()],
      })
      await second.close()
      await close()
    }
  },
)

test('doctor shows what is still to be destroyed in files, and maintenance destroys it', async () => {
  const home = ownFolder()
  const stack = await openStack('default', { home })
  const agent = new Entity('my-agent')
  await agent.attachStack(stack)
  const { ref } = await agent.note(SECRET)
  const reader = new DatabaseSync(`${home}/stacks/default.db`)
  reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema') // an older state, whose pages must stay readable
  expect(await stack.erasure.erase(String(ref))).toMatchObject({
    scrubbed: false,
    certificate: null,
  })
  const erasures = () => {
    const { out, code } = muniment(['doctor'], { home })
    return { code, line: out.split('\n').find((line) => line.includes(' erasures ')) }
  }
  const pending = expect.stringMatching(
    /^warning +erasures +2 erasures still to be destroyed in files: another process .* → muniment stack maintain/,
  )
  expect(erasures()).toEqual({ code: 0, line: pending })
  expect(JSON.parse(muniment(['stack', 'stats', '--json'], { home }).out)).toMatchObject({
    scrubsPending: 2,
  })
  reader.exec('COMMIT')
  reader.close()
  expect(await stack.maintenance()).toMatchObject({ stack: { scrubsPending: 0 } })
  await stack.close()
  expect(erasures()).toEqual({ code: 0, line: expect.stringMatching(/^ok +erasures +no bytes/) })
})
