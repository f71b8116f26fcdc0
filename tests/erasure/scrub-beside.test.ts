import { openSync, readSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { memoryKeyring } from '../../src/compose/keyring.ts'
import { Entity, openStack } from '../../src/index.ts'
import { Connection, nextRound, nodeDriver } from '../../src/stores/sqlite/connection.ts'
import { PAGE_BYTES } from '../../src/stores/sqlite/migrate.ts'
import { scrubFile } from '../../src/stores/sqlite/scrub.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { ownFolder } from '../sqlite/support/folder.ts'
import { startWriter } from '../sqlite/support/writer.ts'
import { holds } from '../support/holds.ts'
import { foundIn, spellingsOf } from './scan.ts'

const SECRET = 'zwickelfarbe'
const LEFT = spellingsOf('wickelfarb')
const NOTES = 1_200

/** A stack that somebody leaves: one note in six is theirs. The scrub of its file can be held up. */
async function stackOfLeaver() {
  const folder = ownFolder()
  const path = `${folder}/demo.db`
  const store = new SqliteStore({ path })
  const scrub = store.scrub.bind(store)
  store.scrub = async () => false
  const stack = await openStack('demo', { store, keyring: memoryKeyring() })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const writes = Array.from({ length: NOTES }, (_, at) =>
    at % 6 === 0
      ? me.note(`${SECRET} ${at} in the yard`, { actor: 'leaver', observed: true })
      : me.note(`An ordinary thought, number ${at}`, { observed: true }),
  )
  await Promise.all(writes)
  const db = new DatabaseSync(path)
  const close = async () => {
    db.close()
    await stack.close()
    await store.close()
  }
  return { folder, path, stack, store, db, scrub: () => scrub(stack.stackId), close }
}

/** Puts the secret into unused bytes of each page of a table, as moved rows leave copies there. */
function leaveCopies(path: string, pageNumbers: readonly number[]): void {
  const file = openSync(path, 'r+') // closing would drop the locks of this process
  for (const number of pageNumbers) {
    const header = Buffer.alloc(8)
    readSync(file, header, { position: (number - 1) * PAGE_BYTES })
    const cells = header.readUInt16BE(5)
    writeSync(file, SECRET, (number - 1) * PAGE_BYTES + cells - SECRET.length)
  }
}

const versionOf = (db: DatabaseSync) => db.prepare('PRAGMA data_version').get()

const ROOMY = `
  SELECT pageno FROM dbstat WHERE name = 'memories' AND pagetype = 'leaf' AND unused > 20`

holds(
  'ERASE-BYTES',
  'copies in unused bytes of pages are destroyed, also where another connection has the pages in memory',
  async () => {
    const { folder, path, stack, db, close } = await stackOfLeaver()
    expect((await stack.erasure.erase({ actor: 'leaver' })).scrubbed).toBe(false)
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    leaveCopies(
      path,
      db
        .prepare(ROOMY)
        .all()
        .map(({ pageno }) => Number(pageno)),
    )
    const beside = new DatabaseSync(path)
    beside.prepare('SELECT sum(accesses) FROM memories NOT INDEXED').get()
    const before = versionOf(beside)
    expect(foundIn(folder, LEFT)).not.toEqual([])
    const scrubbing = scrubFile({
      connection: new Connection(path, nodeDriver.open(path, { readOnly: false })),
      ...{ waitMsMax: 1_000, pagesAtOnce: 64 },
    })
    for (let turn = 0; turn < 6; turn += 1) await nextRound()
    expect(versionOf(beside)).not.toEqual(before) // its pages in memory are outdated
    beside.exec('UPDATE memories SET accesses = accesses + 1') // writes pages as it knows them
    expect(await scrubbing).toBe(true)
    expect(foundIn(folder, LEFT)).toEqual([])
    expect(beside.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    beside.close()
    await close()
  },
  60_000,
)

test('nobody is refused while files are cleaned: another process writes on, and so does this one', async () => {
  const { folder, path, stack, scrub, close } = await stackOfLeaver()
  const beside = startWriter({ path, name: 'beside', kind: 'note', writes: 400, atOnce: 4 })
  await beside.ready
  await stack.erasure.erase({ actor: 'leaver' })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const [isScrubbed] = await Promise.all([
    scrub(),
    ...Array.from({ length: 40 }, (_, at) => me.note(`Written meanwhile, ${at}`)),
  ])
  const { errors, acked, isDone, stderr } = await beside.ended
  expect({ errors, isDone, stderr }).toEqual({ errors: [], isDone: true, stderr: '' })
  expect(acked).toHaveLength(400)
  if (!isScrubbed) expect(await scrub()).toBe(true) // a writer without pauses may be in the way
  expect(foundIn(folder, LEFT)).toEqual([])
  expect((await stack.ledger.audit()).problems).toEqual([])
  await close()
}, 60_000)
