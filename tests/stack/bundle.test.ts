import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { parseStackId } from '../../src/domain/ids.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { histories } from '../gate/histories.ts'
import { openForTest, STACK_ID, take } from '../gate/production.ts'
import { runs } from '../gate/runs.ts'
import { snapshot } from '../gate/snapshot.ts'
import { longHistory } from '../ledger/history.ts'
import { countingWorld, mapKeyring } from '../ledger/world.ts'
import { ownPath } from '../sqlite/support/folder.ts'
import { contentsOf, DEMO, live } from '../sqlite/support/history.ts'
import { holds } from '../support/holds.ts'
import { errorOf, exported, linesOf, restored } from './bundles.ts'
import { freshEntity, freshStack } from './support.ts'

describe('a bundle', () => {
  holds(
    'STORE-SAME',
    'of any history comes back as the same rows, and gives the same bytes again',
    async () => {
      await fc.assert(
        fc.asyncProperty(histories({ maxSteps: 25 }), async (history) => {
          const played = await openForTest({ genesis: history.genesis })
          for (const step of history.steps) await take(played, step)
          if (played.store.rows(STACK_ID).entries.length === 0) return
          const lines = await exported(played.store, STACK_ID)
          const copy = new MemoryStore()
          await restored(copy, lines, STACK_ID)
          expect(snapshot(copy)).toEqual(snapshot(played.store))
          expect(await exported(copy, STACK_ID)).toEqual(lines)
        }),
        runs(60),
      )
    },
  )

  holds('STORE-SAME', 'goes from store to store and back without losing a byte', async () => {
    const history = fc.record({
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      steps: fc.constantFrom(30, 90),
      atOnce: fc.constantFrom(1, 7),
      enforceProvenance: fc.constantFrom(true, false),
    })
    await fc.assert(
      fc.asyncProperty(history, async (chosen) => {
        const origin = new MemoryStore()
        await live(origin, chosen)
        const lines = await exported(origin, DEMO)
        const file = new SqliteStore({ path: ownPath() })
        const { head } = await restored(file, lines, DEMO)
        expect(await exported(file, DEMO)).toEqual(lines)
        expect(await file.check()).toEqual([])
        const back = new MemoryStore()
        await restored(back, await exported(file, DEMO))
        expect(await exported(back, DEMO)).toEqual(lines)
        const { tip } = await origin.read(DEMO, { type: 'standing' })
        expect({ seq: head.seq, hash: head.hash }).toEqual({
          seq: tip.head.seq,
          hash: tip.head.hash,
        })
        expect(answersIn(await contentsOf(file))).toEqual(answersIn(await contentsOf(origin)))
        await file.close()
      }),
      runs(8),
    )
  })

  test('of a stack with something of everything is written the same twice', async () => {
    const one = await longHistory()
    const two = await longHistory(countingWorld())
    const lines = await linesOf(one.stack.transfer.bundle())
    expect(await linesOf(two.stack.transfer.bundle())).toEqual(lines)
    const { counts } = JSON.parse(lines[0] ?? '')
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0)
    const copy = new MemoryStore()
    await restored(copy, lines)
    expect(await exported(copy, parseStackId('demo'))).toEqual(lines)
  })

  test('can be checked line by line by a stranger', async () => {
    const { store } = await longHistory()
    const lines = await exported(store, parseStackId('demo'))
    const header = JSON.parse(lines[0] ?? '')
    const sha256 = (...parts: (string | Buffer)[]): string => {
      const hash = createHash('sha256')
      for (const part of parts) hash.update(part)
      return hash.digest('hex')
    }
    const entries = lines.slice(1, 1 + header.counts.entries).map((line) => line.slice(0, -1))
    expect(sha256('\0', entries.at(-1) ?? '')).toBe(header.head.hash)
    const sealed = lines.slice(1 + entries.length).slice(0, header.counts.sealed)
    for (const line of sealed) {
      const { seq, salt, text } = JSON.parse(line).sealed
      const { commitment } = JSON.parse(entries[seq] ?? '')
      expect(sha256('muniment/commit/1\0', Buffer.from(salt, 'hex'), text)).toBe(commitment)
    }
    const [last] = lines.slice(-1)
    expect(JSON.parse(last ?? '').sha256).toBe(sha256(lines.slice(0, -1).join('')))
  })
})

/** Without how many commits it took, and without rows in an order of their own: the bundle has them. */
const answersIn = (contents: ReadonlyMap<string, string>) =>
  [...contents]
    .filter(([question]) => !/actorKeys|tallies|bursts/.test(question))
    .map(([question, answer]) => [question, answer.replace(/"rev":\d+/, '')])

test('the members of every line are those that the format names', async () => {
  const { store } = await longHistory()
  const lines = await exported(store, parseStackId('demo'))
  const names = lines.map((line) => {
    const [[tag, row] = ['', null]] = Object.entries(JSON.parse(line))
    return Object.keys(JSON.parse(line)).length > 1
      ? Object.keys(JSON.parse(line)).join()
      : `${tag}: ${Object.keys(Object(row)).slice(0, 20).join()}`
  })
  const [header, entry, ...rows] = new Set(names.slice(0, -1))
  expect(header).toBe('counts,format,head,root,stack,uid')
  expect(entry).toMatch(/^actor,commitment,/)
  expect(rows).toEqual([
    'sealed: ref,salt,seq,text',
    'actorKey: actor,key,since',
    'tally: about,actor,count,door,entryHash,entrySeq,firstAt,key,lastAt,pseudonym,rule',
    'burst: actor,identity,quarantined,times',
    'tombstone: mark,seq',
  ])
  expect(lines.at(-1)).toMatch(/^\{"sha256":"[0-9a-f]{64}"\}\n$/)
})

describe('exporting', () => {
  test('gives one moment, whatever is written meanwhile', async () => {
    const { me, stack, store } = await freshEntity()
    await me.raw('before')
    const before = await exported(store, stack.stackId)
    const during: string[] = []
    for await (const line of stack.transfer.bundle()) {
      if (during.length < 3) await me.raw(`meanwhile ${during.length}`)
      during.push(line)
    }
    expect(during).toEqual(before)
    expect(await exported(store, stack.stackId)).not.toEqual(before)
  })

  test('may be broken off, and lets the store go', async () => {
    const path = ownPath()
    const stack = await openStack('demo', { path, ...fakeWorld(), keyring: mapKeyring() })
    const me = new Entity('my-agent')
    await me.attachStack(stack)
    await me.raw('something')
    for await (const line of stack.transfer.bundle()) {
      expect(line).toContain('muniment/bundle/1')
      break
    }
    await me.raw('something else')
    await stack.close()
  })

  test('a stack that nothing was written to has no bundle', async () => {
    const { stack } = await freshStack()
    expect((await errorOf(linesOf(stack.transfer.bundle()))).code).toBe('not_found')
  })

  test('a closed stack gives none either', async () => {
    const { stack } = await freshEntity()
    await stack.close()
    expect(() => stack.transfer.bundle()).toThrow('closed')
  })
})
