import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { Entity, openStack } from '../../src/index.ts'
import { ownFolder } from '../sqlite/support/folder.ts'
import { holds } from '../support/holds.ts'
import { foundIn, spellingsOf } from './scan.ts'

/** A note with words in the reason of a change, in a stack that is closed. */
async function ground() {
  const folder = ownFolder()
  const path = join(folder, 'demo.db')
  const open = () => openStack('demo', { path, home: folder })
  const stack = await open()
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const raw = await me.raw('Something harmless')
  const note = await me.note('first words', { derivedFrom: [raw.ref] })
  await stack.forgetMemory('note', note.id, 'because of Zwickelfarbe')
  await stack.recoverMemory('note', note.id)
  await stack.close()
  return { folder, path, open, raw, note }
}

/** What somebody does who can write the file, its guards put back behind him. */
function tamper(path: string, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(path)
  const guards = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of guards) db.exec(`DROP TRIGGER ${String(name)}`)
  work(db)
  for (const { sql } of guards) db.exec(String(sql))
  db.close()
}

holds('LEDGER-CONTENTLESS', 'content put back behind an erasure is found', async () => {
  const { path, open, note } = await ground()
  const reader = new DatabaseSync(path, { readOnly: true })
  const select = 'SELECT seq, ref, salt, bytes FROM sealed WHERE ref = ? ORDER BY seq'
  const [, ...later] = reader.prepare(select).all(note.ref)
  reader.close()
  expect(later).toHaveLength(1)
  const stack = await open()
  await stack.erasure.erase(note.ref)
  await stack.close()
  tamper(path, (db) => {
    for (const { seq = null, ref = null, salt = null, bytes = null } of later) {
      db.prepare('DELETE FROM erasures WHERE seq = ?').run(seq)
      db.prepare('INSERT INTO sealed VALUES (?, ?, ?, ?)').run(seq, ref, salt, bytes)
    }
  })
  const again = await open()
  const { problems } = await again.ledger.audit()
  expect(problems.map(({ code, detail }) => [code, detail])).toContainEqual([
    'entry.operation',
    'erases content that is still there',
  ])
  await again.close()
})

holds(
  'ERASE-BYTES',
  'an entry filed under another memory is found, and erased all the same',
  async () => {
    const { folder, path, open, raw, note } = await ground()
    tamper(path, (db) => {
      const last = 'UPDATE provenance_log SET ref = ? WHERE seq = (SELECT max(seq) FROM sealed)'
      db.prepare(last).run(raw.ref)
    })
    const stack = await open()
    const codes = (await stack.ledger.audit()).problems.map(({ code }) => code)
    expect(codes).toContain('entry.place')
    await stack.erasure.erase(note.ref)
    await stack.close()
    expect(foundIn(folder, spellingsOf('wickelfarb'))).toEqual([])
  },
)
