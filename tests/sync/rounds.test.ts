import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { memorySyncShelf } from '../../src/compose/sync/sync-ports.ts'
import { label } from '../../src/domain/labels.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { idAt } from '../support/world.ts'
import { memoryRemote, pairAll, type Replica, replica, testVault } from './support.ts'

const CITY = { subject: 'user', predicate: 'city' }

const say = async ({ stack }: Replica, city: string) =>
  (await stack.claims.remember(CITY.subject, CITY.predicate, city, { actor: 'anna' })).claimRef ??
  ''

const citiesIn = async ({ stack }: Replica): Promise<readonly string[]> =>
  (await stack.list('claim')).map(({ text }) => text)

async function twoPaired() {
  const remote = memoryRemote()
  const [a, b] = [await replica(1, remote), await replica(2, remote)]
  await say(a, 'Berlin')
  await b.stack.claims.remember('user', 'dog', 'Rex', { actor: 'anna' })
  await pairAll([a.stack, b.stack])
  for (const { stack } of [a, b, a]) await stack.sync()
  return { remote, a, b }
}

describe('a round with a remote', () => {
  holds('S-54', 'sends what waits, and pulls what others said', async () => {
    const { a, b } = await twoPaired()
    expect(await a.stack.isOnline()).toBe(true)
    const ref = await say(a, 'Rome')
    expect(await a.stack.getPendingSyncCount()).toBeGreaterThan(0)
    expect(await a.stack.sync()).toMatchObject({ remote: 'memory', errors: [] })
    expect(await a.stack.getPendingSyncCount()).toBe(0)
    const later = '2030-01-01T00:00:00.000Z'
    expect(await b.stack.pullChanges({ since: later })).toMatchObject({ pulled: 0 })
    const { pulled } = await b.stack.pullChanges()
    expect(pulled).toBeGreaterThan(0)
    expect((await b.stack.list('claim')).map((claim) => String(claim.ref))).toContain(ref)
    expect(await b.stack.pullChanges()).toMatchObject({ pulled: 0, pushed: 0 })
  })

  test('two revisions of one memory are both kept, and counted as a conflict', async () => {
    const { a, b } = await twoPaired()
    const me = new Entity('agent')
    await me.attachStack(a.stack)
    const { id: drive } = await me.drive('growth', { intensity: 0.5, because: 'it grew' })
    for (const { stack } of [a, b]) await stack.sync()
    a.clock.advance({ minutes: 1 })
    b.clock.advance({ minutes: 2 })
    const revised = { id: drive, driveType: 'growth' }
    await a.stack.updateDriveAtomic({ ...revised, intensity: 0.1 })
    await b.stack.updateDriveAtomic({ ...revised, intensity: 0.9 })
    await a.stack.sync()
    expect(await b.stack.sync()).toMatchObject({ conflicts: 1 })
    await a.stack.sync()
    for (const { stack } of [a, b]) {
      const shown = await stack.getDrive('growth')
      expect(shown).toMatchObject({ version: 3, body: { intensity: 0.9 } })
    }
  })

  test('the same life in a file gives the same answers, audits, and comes back from a bundle', async () => {
    const remote = memoryRemote()
    const folder = mkdtempSync(join(tmpdir(), 'sync-'))
    const store = new SqliteStore({ path: join(folder, 'b.db') })
    const a = await replica(1, remote)
    const b = await replica(2, remote, memorySyncShelf(), store)
    await say(a, 'Berlin')
    await say(b, 'Rome')
    for (const { clock } of [a, b]) clock.advance({ minutes: 3 })
    await say(a, 'Oslo')
    await pairAll([a.stack, b.stack])
    for (const { stack } of [a, b, a, b]) await stack.sync()
    expect(await citiesIn(b)).toEqual(await citiesIn(a))
    expect(await citiesIn(b)).toEqual(['user city Oslo', 'user city Rome', 'user city Berlin'])
    for (const { stack } of [a, b]) {
      expect(await stack.claims.ask(CITY)).toMatchObject({ value: 'Oslo', standing: 'held' })
    }
    const [first, ...rest] = await b.stack.list('claim')
    const page = await b.stack.list('claim', { after: first?.id ?? '', limit: 1 })
    expect(page).toEqual(rest.slice(0, 1))
    expect((await b.stack.ledger.audit()).problems).toEqual([])
    await b.stack.ledger.rebuild()
    expect((await b.stack.ledger.audit()).problems).toEqual([])
    expect(await citiesIn(b)).toEqual(await citiesIn(a))
    const { restoreBundle } = await import('../../src/engine/transfer/bundle/restore.ts')
    const { nodeHasher, nodeSha256 } = await import('../../src/compose/node-world.ts')
    const tools = { sha256: nodeSha256, hasher: nodeHasher }
    await restoreBundle(new MemoryStore(), b.stack.transfer.bundle(), tools)
    await store.close()
  })
})

describe('a feed is believed only as its replica signed it', () => {
  const objects = ({ files }: ReturnType<typeof memoryRemote>, part: string) =>
    [...files.keys()].filter((name) => name.includes(`/${part}/`))

  test.each(['entries', 'words'])(
    'changed %s are refused, and nothing of the feed is taken',
    async (part) => {
      const remote = memoryRemote()
      const [a, b] = [await replica(1, remote), await replica(2, remote)]
      await say(a, 'Berlin')
      await a.stack.sync()
      const [name = ''] = objects(remote, part)
      const vault = testVault(7)
      const plain = await vault.open(name, remote.files.get(name) ?? new Uint8Array())
      const text = new TextDecoder().decode(plain ?? undefined).replace('External', 'Externel')
      remote.files.set(name, await vault.seal(name, new TextEncoder().encode(text)))
      const { pulled, errors } = await b.stack.sync()
      expect({ pulled, errors }).toEqual({
        pulled: 0,
        errors: [expect.stringMatching(/was changed/u)],
      })
    },
  )

  test('a head under another key is refused', async () => {
    const { remote, a, b } = await twoPaired()
    const thief = await replica(1, remote) // the same random bytes, so the same replica
    await say(thief, 'Atlantis')
    for (const name of objects(remote, 'heads')) remote.files.delete(name)
    await thief.stack.sync()
    const { errors } = await b.stack.pullChanges()
    expect(errors.join()).toMatch(/another key/u)
    expect(await citiesIn(b)).not.toContain('user city Atlantis')
    await expect(a.stack.sync()).rejects.toMatchObject({ code: 'sync_refused' })
  })

  test('two histories of one replica are named, on the way in and on the way out', async () => {
    const { remote, a, b } = await twoPaired()
    const earlier = new Map(remote.files)
    await say(a, 'Rome')
    await a.stack.sync()
    await b.stack.sync()
    remote.files.clear()
    for (const [name, bytes] of earlier) remote.files.set(name, bytes)
    const { errors } = await b.stack.pullChanges()
    expect(errors.join()).toMatch(/two histories/u)
    const { peers } = await b.stack.replication.status()
    expect(peers[0]?.problem).toMatch(/two histories/u)
    expect(await citiesIn(b)).toContain('user city Rome')
  })
})

describe('an unknown replica', () => {
  test('tells of its memories at tier 1 and changes nothing; pairing gives both', async () => {
    const remote = memoryRemote()
    const [a, b] = [await replica(1, remote), await replica(2, remote)]
    const ref = await say(a, 'Berlin')
    await a.stack.sync()
    await b.stack.sync()
    expect((await b.stack.list('claim')).map(({ tier }) => tier)).toEqual([1])
    await a.stack.claims.retract(ref, { label: label.userAsserted() })
    await a.stack.sync()
    await b.stack.sync()
    expect(await b.stack.list('claim')).toMatchObject([{ disposition: 'CommittedCheap' }])
    const { peers } = await b.stack.replication.status()
    await b.stack.replication.trust(peers[0]?.words ?? '')
    await b.stack.sync()
    const all = await b.stack.list('claim')
    expect(all).toMatchObject([{ tier: 3, disposition: 'Invalidated' }])
    expect(await b.stack.claims.ask(CITY)).toMatchObject({ standing: 'retracted' })
    expect((await b.stack.ledger.audit()).problems).toEqual([])
  })

  test('does not change a memory by telling of another under the same id', async () => {
    const remote = memoryRemote()
    const [a, b] = [await replica(1, remote), await replica(2, remote)]
    const raw = (content: string) => ({
      kind: 'raw' as const,
      id: idAt(1),
      body: { content },
      provenance: saying('ExternalFirstHand'),
    })
    await b.stack.write(raw('mine'))
    a.clock.advance({ minutes: 1 })
    await a.stack.write(raw('theirs'))
    for (const { stack } of [a, b]) await stack.sync()
    expect((await b.stack.getRaw()).map(({ text }) => text)).toEqual(['mine'])
    const { peers } = await b.stack.replication.status()
    expect(peers).toMatchObject([{ waiting: 1 }])
  })

  test('shows the words that the other machine shows of itself', async () => {
    const { a, b } = await twoPaired()
    const [peer] = (await b.stack.replication.status()).peers
    expect(peer?.words).toBe((await a.stack.replication.status()).words)
    expect(peer?.words).toMatch(/^(?:[a-z]{5}-){5}[a-z]{5}$/u)
  })

  test('distrusted in one call, everything it brought is believed no longer', async () => {
    const { a, b } = await twoPaired()
    const [peer] = (await b.stack.replication.status()).peers
    expect(await citiesIn(b)).toContain('user city Berlin')
    const person = { label: label.userAsserted() }
    const refs = await b.stack.replication.distrust(peer?.words ?? '', person)
    expect(refs.length).toBeGreaterThan(0)
    expect(await b.stack.claims.ask(CITY)).toMatchObject({ standing: 'unknown' })
    const brought = (await b.stack.list('claim')).filter(({ ref }) => refs.includes(ref))
    expect(brought).toMatchObject([{ text: 'user city Berlin', disposition: 'Distrusted' }])
    await say(a, 'Rome')
    await a.stack.sync()
    expect(await b.stack.sync()).toMatchObject({ pulled: 0 })
    expect(await citiesIn(b)).not.toContain('user city Rome')
    expect((await b.stack.ledger.audit()).problems).toEqual([])
  })
})

describe('an erasure', () => {
  test('destroys the words on every replica and in the remote, and is acknowledged', async () => {
    const { remote, a, b } = await twoPaired()
    const ref = await say(a, 'Atlantis')
    for (const { stack } of [a, b]) await stack.sync()
    await a.stack.erasure.erase(ref)
    await a.stack.sync()
    const { replica: peer } = (await a.stack.replication.status()).peers[0] ?? {}
    expect((await a.stack.replication.status()).erasures).toMatchObject({ missing: [peer] })
    for (const { stack } of [b, a]) await stack.sync()
    expect((await a.stack.replication.status()).erasures).toMatchObject({ confirmedBy: [peer] })
    const everything = await b.stack.dump({ includeForgotten: true })
    expect(everything).not.toContain('Atlantis')
    for (const [name, bytes] of remote.files) {
      const plain = await testVault(5).open(name, bytes)
      expect(new TextDecoder().decode(plain ?? undefined)).not.toContain('Atlantis')
    }
  })
})

test('nothing in the remote can be read without its key', async () => {
  const { remote } = await twoPaired()
  const { syncVault } = await import('../../src/compose/sync/sync-vault.ts')
  const other = syncVault(new Uint8Array(32), () => new Uint8Array(12))
  for (const [name, bytes] of remote.files) {
    expect(await other.open(name, bytes)).toBeNull()
    expect(await testVault(3).open(`${name}x`, bytes)).toBeNull()
    expect(await testVault(3).open(name, bytes)).not.toBeNull()
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('Berlin')
  }
})
