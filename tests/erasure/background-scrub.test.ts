import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { memoryKeyring } from '../../src/compose/keyring.ts'
import { Entity, openStack } from '../../src/index.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { ownFolder } from '../sqlite/support/folder.ts'
import { heldTimer } from '../support/held-timer.ts'
import { holds } from '../support/holds.ts'
import { foundIn, spellingsOf } from './scan.ts'

const SECRET = 'the code word is zwickelfarbe'
const LEFT = spellingsOf('wickelfarb')
const LARGE = 1_000 // notes, two entries each: from 2,000 entries on a stack counts as large

/** A stack whose files cannot be cleaned until `mended` is called. */
async function brokenPlace() {
  const folder = ownFolder()
  const store = new SqliteStore({ path: `${folder}/demo.db` })
  const scrub = store.scrub.bind(store)
  let isBroken = true
  let scrubs = 0
  store.scrub = async (stack) => {
    scrubs += 1
    return isBroken ? false : scrub(stack)
  }
  const keyring = memoryKeyring()
  const opened = async () => {
    const held = heldTimer()
    const stack = await openStack('demo', { store, keyring, timer: held.timer })
    const me = new Entity('my-agent')
    await me.attachStack(stack)
    return { stack, me, ...held }
  }
  const mend = () => {
    isBroken = false
  }
  return { folder, store, opened, mend, scrubs: () => scrubs }
}

holds('ERASE-BYTES', 'files that could not be cleaned are cleaned later by a timer', async () => {
  const { folder, store, opened, mend } = await brokenPlace()
  const { stack, me, fire } = await opened()
  const { ref } = await me.note(SECRET)
  expect(await stack.erasure.erase(ref)).toMatchObject({ scrubbed: false, certificate: null })
  fire()
  await vi.waitFor(async () => expect((await stack.erasure.pending()).entries).toBe(2)) // the note and its capture
  mend()
  await vi.waitFor(async () => {
    fire()
    expect(await stack.erasure.pending()).toEqual({ entries: 0, fault: null })
  })
  expect(foundIn(folder, LEFT)).toEqual([])
  await stack.close()
  await store.close()
})

test('opening a large stack with a pending erasure waits for no cleaning, and a timer cleans', async () => {
  const { folder, store, opened, mend, scrubs } = await brokenPlace()
  const first = await opened()
  const writes = Array.from({ length: LARGE }, (_, at) => first.me.note(`Thought number ${at}`))
  await Promise.all(writes)
  const { ref } = await first.me.note(SECRET)
  await first.stack.erasure.erase(ref)
  await first.stack.close()
  expect(first.waiting.size).toBe(0) // nothing keeps a process alive
  const before = scrubs()
  const second = await opened()
  expect(scrubs()).toBe(before)
  expect((await second.stack.erasure.pending()).entries).toBe(2)
  mend()
  await vi.waitFor(async () => {
    second.fire()
    expect((await second.stack.erasure.pending()).entries).toBe(0)
  })
  expect(foundIn(folder, LEFT)).toEqual([])
  await second.stack.close()
  await store.close()
})

test('an index that did not overwrite deleted words is merged with the first erasure', async () => {
  const folder = ownFolder()
  const path = `${folder}/demo.db`
  const stack = await openStack('demo', { path, home: folder })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const { ref } = await me.note('The gate is open')
  const db = new DatabaseSync(path)
  // As earlier versions made it, and without a merge that happens by chance.
  db.exec("INSERT INTO words (words, rank) VALUES ('secure-delete', 0), ('automerge', 0)")
  db.exec("INSERT INTO words (rowid, terms) VALUES (999, 'zwickelfarb')")
  db.exec('DELETE FROM words WHERE rowid = 999') // as an earlier revision left its words
  expect(foundIn(folder, LEFT)).not.toEqual([])
  expect(await stack.erasure.erase(ref)).toMatchObject({ scrubbed: true })
  expect(foundIn(folder, LEFT)).toEqual([])
  db.close()
  await stack.close()
})
