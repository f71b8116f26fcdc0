import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Entity, label, openStack } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { ownFolder } from '../sqlite/support/folder.ts'
import { holds } from '../support/holds.ts'
import { idOf, memoryOf } from './support.ts'

const STORES = [
  ['in memory', () => new MemoryStore()],
  ['in SQLite', () => new SqliteStore({ path: join(ownFolder(), 'test.db') })],
] as const

type Make = (typeof STORES)[number][1]

/** A drive and a playbook that rest on one episode, and a later episode about both. */
async function revisable(make: Make) {
  const store = make()
  const stack = await openStack('test', { store, ...fakeWorld(1) })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const episodeOf = async (what: string) => {
    const raw = await me.raw(`Seen: ${what}`)
    return {
      raw: raw.ref,
      ref: (await me.episode({ ...TRY, outcome: what, derivedFrom: [raw.ref] })).ref,
    }
  }
  const first = await episodeOf('the first release took a day')
  const second = await episodeOf('the second release took an hour')
  const drive = await me.drive('growth', { intensity: 0.5, derivedFrom: [first.ref] })
  const playbook = await me.playbook({
    name: 'release',
    description: 'how to release',
    derivedFrom: [first.ref],
  })
  return { stack, store, me, first, second, drive: drive.ref, playbook: playbook.ref }
}

const TRY = { objective: 'release the program' }

const sound = async (stack: Awaited<ReturnType<typeof revisable>>['stack']): Promise<void> => {
  expect((await stack.ledger.audit()).problems).toEqual([])
}

describe.each(STORES)('lineage under revision %s', (_, make) => {
  holds('P-46', 'a revision keeps the sources of the birth and adds its own', async () => {
    const { stack, first, second, drive } = await revisable(make)
    const body = { driveType: 'growth', intensity: 0.9, id: idOf(drive) }
    expect(await stack.updateDriveAtomic({ ...body, derivedFrom: [second.ref] })).toBe(true)
    const { provenance, version } = await memoryOf(stack, drive)
    expect(version).toBe(2)
    expect(provenance.derivedFrom).toEqual([first.ref])
    expect(provenance.revisedFrom).toEqual([second.ref])
    // Another revision adds nothing, and forgets neither.
    expect(await stack.updateDriveAtomic({ ...body, intensity: 0.1 })).toBe(true)
    const third = await memoryOf(stack, drive)
    expect(third.provenance.derivedFrom).toEqual([first.ref])
    expect(third.provenance.revisedFrom).toEqual([second.ref])
    await sound(stack)
  })

  holds('P-46', 'trace, why, impact and the PROV export walk both', async () => {
    const { stack, first, second, drive } = await revisable(make)
    const both = [first.raw, first.ref, second.raw, second.ref]
    const before = (await stack.history.trace(drive)).map(({ memory }) => memory.ref)
    expect(before).not.toContain(second.ref)
    await stack.updateDriveAtomic({
      driveType: 'growth',
      intensity: 0.9,
      id: idOf(drive),
      derivedFrom: [second.ref],
    })
    const traced = (await stack.history.trace(drive)).map(({ memory }) => memory.ref)
    const { lineage } = await stack.history.why(drive)
    const explained = lineage.map(({ memory }) => memory.ref)
    const exported = JSON.stringify(await stack.ledger.prov(drive))
    for (const ref of both) {
      expect(traced).toContain(ref)
      expect(explained).toContain(ref)
      expect(exported).toContain(ref)
      expect((await stack.history.impact(ref)).map(({ memory }) => memory.ref)).toContain(drive)
    }
  })

  holds('P-46', 'a use of a playbook leaves the lineage of its birth as it was', async () => {
    const { stack, first, second, playbook } = await revisable(make)
    const model = { label: label.modelDerived(), actor: 'my-agent' }
    await stack.epochs.usePlaybook(playbook, { hasSucceeded: true, episode: second.ref, ...model })
    const used = await memoryOf(stack, playbook)
    expect(used.provenance.derivedFrom).toEqual([first.ref])
    expect(used.provenance.revisedFrom).toEqual([second.ref])
    // The same episode is one use, also after another one.
    const again = await stack.epochs.usePlaybook(playbook, {
      hasSucceeded: true,
      episode: second.ref,
      ...model,
    })
    expect(again.body.timesUsed).toBe(1)
    await sound(stack)
  })

  holds('P-46', 'distrust and erasure reach it through either source', async () => {
    const { stack, first, second, drive } = await revisable(make)
    await stack.updateDriveAtomic({
      driveType: 'growth',
      intensity: 0.9,
      id: idOf(drive),
      derivedFrom: [second.ref],
    })
    // One source is left, so the drive stands and waits for a person.
    await stack.sources.distrust(first.ref)
    const shaken = await memoryOf(stack, drive)
    expect(shaken.flags.map(({ code, by }) => [code, by])).toEqual([
      ['source_distrusted', first.ref],
    ])
    await stack.sources.distrust(second.ref)
    expect((await memoryOf(stack, drive)).disposition).toBe('Distrusted')
    await stack.sources.trust(second.ref)
    await stack.sources.trust(first.ref)
    const { erased } = await stack.erasure.erase(first.ref, { basis: 'other', derived: 'erase' })
    expect(erased).toContain(drive)
    await sound(stack)
  })

  holds('P-46', 'the lowest tier among old and new sources holds', async () => {
    const { stack, me, first, second } = await revisable(make)
    const low = await me.episode({
      ...TRY,
      outcome: 'somebody on the web said so',
      derivedFrom: [second.raw],
      trustTier: 0,
    })
    const model = { label: label.modelDerived(), actor: 'my-agent' }
    const reasoned = { ...model, sourceType: 'inference' } as const
    const born = await me.drive('rest', { derivedFrom: [first.ref], ...reasoned })
    expect((await memoryOf(stack, born.ref)).tier).toBe(1)
    const body = { driveType: 'rest', intensity: 0.9, id: idOf(born.ref) }
    await stack.updateDriveAtomic({ ...body, derivedFrom: [low.ref] }, null, model)
    expect((await memoryOf(stack, born.ref)).tier).toBe(0)
    // A later revision that cites a good source does not hide the low one.
    await stack.updateDriveAtomic(
      { ...body, intensity: 0.8, derivedFrom: [second.ref] },
      null,
      model,
    )
    expect((await memoryOf(stack, born.ref)).tier).toBe(0)
    await sound(stack)
  })

  test('a drive can be revised after one of its sources was erased', async () => {
    const { stack, first, second, drive } = await revisable(make)
    await stack.erasure.erase(first.ref, { basis: 'other', derived: 'keep' })
    const body = { driveType: 'growth', intensity: 0.2, id: idOf(drive) }
    expect(await stack.updateDriveAtomic({ ...body, derivedFrom: [second.ref] })).toBe(true)
    expect((await memoryOf(stack, drive)).provenance.derivedFrom).toEqual([first.ref])
    await expect(
      stack.updateDriveAtomic({
        ...body,
        derivedFrom: ['episode:01980000-0000-7000-8000-0000000000ff'],
      }),
    ).rejects.toThrow(/does not exist/)
    await sound(stack)
  })

  test('what the rows say is what the ledger gives again', async () => {
    const { stack, second, drive } = await revisable(make)
    await stack.updateDriveAtomic({
      driveType: 'growth',
      intensity: 0.9,
      id: idOf(drive),
      derivedFrom: [second.ref],
    })
    const before = await memoryOf(stack, drive)
    await stack.ledger.rebuild()
    expect(await memoryOf(stack, drive)).toEqual(before)
    const replayed = await stack.ledger.replay(before.entry.seq)
    expect(replayed.code).toBe('decision.same')
    await sound(stack)
  })
})
