import { appendFileSync, copyFileSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileShelf, secondPlace } from '../../src/compose/checkpoint-shelf.ts'
import { fileKeyring } from '../../src/compose/keyring.ts'
import { parseStackId } from '../../src/domain/ids.ts'
import { Entity, label, openStack, type Stack } from '../../src/index.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { ownFolder } from '../sqlite/support/folder.ts'
import { holds } from '../support/holds.ts'
import { foundIn, spellingsOf } from './scan.ts'

const BESIDE = ['', '-wal', '-shm', '-receipts', '-receipts-wal', '-receipts-shm']

/** A stack in a folder of its own, and a way to put an older copy of its file back. */
function ground() {
  const [folder, home] = [ownFolder(), ownFolder()]
  const path = join(folder, 'demo.db')
  const copy = join(home, 'older')
  return {
    folder,
    home,
    path,
    open: () => openStack('demo', { path, home }),
    keepCopy: () => copyFileSync(path, copy),
    bringBack: () => {
      // Heads signed since are set aside, as by restore: beside the copy they would say what it lost.
      for (const end of [...BESIDE, '-head', '.checkpoints']) rmSync(path + end, { force: true })
      copyFileSync(copy, path)
    },
  }
}

async function entityOn(stack: Awaited<ReturnType<typeof openStack>>): Promise<Entity> {
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  return me
}

/** A disk that fills up after the first commit stands for whatever cuts an opening short. */
class FullDisk extends SqliteStore {
  #commits = 0

  override async commit(...given: Parameters<SqliteStore['commit']>) {
    this.#commits += 1
    if (this.#commits === 2) throw new Error('the disk is full')
    return super.commit(...given)
  }
}

holds(
  'ERASE-BYTES',
  'repeating erasures that was cut short goes on at the next opening',
  async () => {
    const { path, home, open, keepCopy, bringBack } = ground()
    const first = await open()
    const me = await entityOn(first)
    const raws = [
      await me.raw('secret one'),
      await me.raw('secret two'),
      await me.raw('secret three'),
    ]
    await first.close()
    keepCopy()
    const second = await open()
    for (const { ref } of raws) await second.erasure.erase(ref)
    await second.close()
    bringBack()
    const store = new FullDisk({ path })
    await expect(openStack('demo', { store, keyring: fileKeyring(home) })).rejects.toThrow('disk')
    await store.close()
    const third = await open()
    for (const { ref } of raws) expect((await third.history.why(ref)).memory.erased).not.toBeNull()
    expect((await third.ledger.audit()).problems).toEqual([])
    const { head } = await third.ledger.audit()
    await third.close()
    const fourth = await open()
    expect((await fourth.ledger.audit()).head, 'once is enough').toEqual(head)
    await fourth.close()
  },
)

holds('ERASE-BYTES', 'an actor erased again leaves no file with its name', async () => {
  const { folder, path, open, keepCopy, bringBack } = ground()
  const first = await open()
  const me = await entityOn(first)
  await me.note('words of hers', { label: label.userAsserted(), actor: 'Ottilie-Quast' })
  await first.close()
  keepCopy()
  const second = await open()
  await second.erasure.erase({ actor: 'Ottilie-Quast' })
  await second.close()
  expect(foundIn(folder, spellingsOf('Ottilie-Quast'))).toEqual([])
  bringBack()
  const third = await open()
  expect((await third.ledger.audit()).problems).toEqual([])
  await third.close()
  expect(foundIn(folder, spellingsOf('Ottilie-Quast'))).toEqual([])
  const store = new SqliteStore({ path, readOnly: true })
  expect(await store.read(parseStackId('demo'), { type: 'table', name: 'scrubs' })).toEqual([])
  await store.close()
})

holds('ERASE-BYTES', 'an erasure noted after a line that was cut off is known', async () => {
  const { home, open, keepCopy, bringBack } = ground()
  const first = await open()
  const me = await entityOn(first)
  const [one, two] = [await me.raw('secret one'), await me.raw('secret two')]
  await first.close()
  keepCopy()
  const second = await open()
  await second.erasure.erase(one.ref)
  const keys = join(home, 'keys')
  const list = join(keys, String(readdirSync(keys).find((name) => name.endsWith('.erasures'))))
  truncateSync(list, statSync(list).size - 30)
  await second.erasure.erase(two.ref)
  await second.close()
  bringBack()
  const third = await open()
  expect((await third.history.why(two.ref)).memory.erased).not.toBeNull()
  await third.close()
})

test('a head put behind a line that was cut off is read again, on the shelf and elsewhere', async () => {
  for (const put of [
    (path: string, note: string) => fileShelf(path).put(note),
    (path: string, note: string) => secondPlace(path)(note),
  ]) {
    const path = join(ownFolder(), 'heads')
    await put(path, 'head 1\n')
    appendFileSync(path, '"head 2')
    await put(path, 'head 3\n')
    await put(path, 'head 4\n')
    expect(await fileShelf(path).all()).toEqual(['head 1\n', 'head 3\n', 'head 4\n'])
  }
})

holds('ERASE-BYTES', 'a subject erased again is kept out whoever speaks of it', async () => {
  const { open, keepCopy, bringBack } = ground()
  const say = async (stack: Stack, actor: string, value = 'flu') => {
    const me = await entityOn(stack)
    const claim = { subject: 'ada', predicate: 'illness', value }
    return me.claim(claim, { label: label.userAsserted(), actor })
  }
  const first = await open()
  await say(first, 'ada')
  await say(first, 'ada', 'gout')
  await first.close()
  keepCopy()
  const second = await open()
  await second.erasure.erase({ subject: 'ada' })
  await expect(say(second, 'bob')).rejects.toMatchObject({ code: 'refused' })
  await second.close()
  bringBack()
  const third = await open()
  for (const actor of ['ada', 'bob']) {
    await expect(say(third, actor), actor).rejects.toMatchObject({ code: 'refused' })
    await expect(say(third, actor, 'gout'), actor).rejects.toMatchObject({ code: 'refused' })
  }
  expect((await third.ledger.audit()).problems).toEqual([])
  await third.close()
})

holds(
  'ERASE-BYTES',
  'what was born and erased after a copy was made stays out when it is put back, until a person says otherwise',
  async () => {
    const { folder, open, keepCopy, bringBack } = ground()
    const said = { label: label.userAsserted(), actor: 'ada' }
    const first = await open()
    await (await entityOn(first)).note('an ordinary word', said)
    await first.close()
    keepCopy()
    const second = await open()
    const { ref } = await (await entityOn(second)).raw('Zanzibar-Canary is the word', said)
    await second.erasure.erase(ref)
    await second.close()
    bringBack()
    const third = await open()
    const again = async (stack: Stack) =>
      (await entityOn(stack)).raw('Zanzibar-Canary is the word', said)
    await expect(again(third)).rejects.toMatchObject({ code: 'refused' })
    expect((await third.ledger.audit()).problems).toEqual([])
    const { head } = await third.ledger.audit()
    await third.close()
    expect(foundIn(folder, spellingsOf('Zanzibar-Canary'))).toEqual([])
    const fourth = await open()
    expect((await fourth.ledger.audit()).head, 'once is enough').toEqual(head)
    const body = { content: 'Zanzibar-Canary is the word' }
    const lifted = await fourth.erasure.readmit({ kind: 'raw', body, actor: 'ada' })
    expect(lifted).not.toBeNull()
    await fourth.close()
    const fifth = await open()
    expect(await again(fifth), 'the last word is a person’s').toMatchObject({})
    expect((await fifth.ledger.audit()).problems).toEqual([])
    await fifth.close()
  },
)
