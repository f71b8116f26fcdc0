import { cpSync, existsSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { Entity } from '../../src/core/entity.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { holds } from '../support/holds.ts'
import { ownFolder } from './support/folder.ts'
import { restored } from './support/restorer.ts'
import { startWriter } from './support/writer.ts'

const STEPS_MAX = 200
const AT_ONCE = 4
const TIMEOUT_MS = 300_000
const NEW_NOTE = 'The note of the backup'

/** A home whose stack was left by a killed writer, with notes that only its log holds; and a backup. */
async function scene() {
  const folder = ownFolder()
  const home = join(folder, 'home')
  const file = join(home, 'stacks', 'demo.db')
  const stack = await openStack('demo', { home })
  const me = new Entity('agent')
  await me.attachStack(stack)
  await me.note(NEW_NOTE)
  await stack.checkpoint()
  await stack.close()
  const from = join(folder, 'copy.db')
  const store = new SqliteStore({ path: file })
  await store.backup(from)
  await store.close()
  const { child, ended } = startWriter({
    ...{ path: file, name: 'agent', kind: 'note', writes: 100_000, atOnce: 4 },
  })
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('"id"')) break
  child.kill('SIGKILL')
  const { acked } = await ended
  expect(acked.length).toBeGreaterThan(0)
  expect(readdirSync(join(home, 'stacks'))).toContain('demo.db-wal')
  return { folder, home, from, acked }
}

type Look = (home: string) => Promise<void>

/** Restores in copies of a home, each killed one step later than the one before, until one ends. */
async function killedAtEveryStep(
  { folder, home, from }: Awaited<ReturnType<typeof scene>>,
  look: Look,
): Promise<number> {
  for (let first = 1; first < STEPS_MAX; first += AT_ONCE) {
    const ends = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const killBefore = first + index
        const copy = join(folder, `home-${killBefore}`)
        cpSync(home, copy, { recursive: true })
        const end = await restored({ home: copy, from, killBefore })
        await look(copy).catch((cause: unknown) => {
          throw new Error(`killed before step ${killBefore}`, { cause })
        })
        rmSync(copy, { recursive: true })
        return end
      }),
    )
    if (ends.includes('done')) return first + ends.indexOf('done') - 1
  }
  throw new Error('the restore never ended')
}

async function notesIn(place: { readonly home: string; readonly path?: string }) {
  const stack = await openStack('demo', place)
  try {
    const { problems } = await stack.audit()
    expect(problems).toEqual([])
    const notes = await stack.getNotes({ limit: 1_000 })
    return { ids: new Set(notes.map(({ id }) => id as string)), texts: notes.map((n) => n.text) }
  } finally {
    await stack.close()
  }
}

describe('a restore that is killed between two steps', () => {
  holds(
    'STORE-ACKED',
    'leaves the old stack with every acknowledged write, or the new one',
    async () => {
      const given = await scene()
      const seen = { old: 0, new: 0 }
      const steps = await killedAtEveryStep(given, async (home) => {
        const { ids, texts } = await notesIn({ home })
        const isOld = given.acked.every((id) => ids.has(id))
        seen[isOld ? 'old' : 'new'] += 1
        if (!isOld) {
          expect(texts).toEqual([NEW_NOTE])
          const aside = join(home, 'stacks', 'demo.db.replaced', 'demo.db')
          const kept = await notesIn({ home, path: aside })
          expect(given.acked.filter((id) => !kept.ids.has(id))).toEqual([])
        }
        const heads = ['demo.db', 'demo.db.replaced/demo.db'].map((name) =>
          existsSync(join(home, 'stacks', `${name}.checkpoints`)),
        )
        expect(heads).toContain(true)
        const stack = await openStack('demo', { home })
        const me = new Entity('agent')
        await me.attachStack(stack)
        await me.note('Writes go on')
        await stack.close()
      })
      expect(seen.old).toBeGreaterThan(5)
      expect(seen.new).toBeGreaterThan(1)
      expect(steps).toBeGreaterThan(20)
    },
    TIMEOUT_MS,
  )

  const DAMAGES = [
    ['cut short', (file: string) => truncateSync(file, 20_000)],
    ['emptied', (file: string) => truncateSync(file)],
  ] as const

  describe.each(DAMAGES)('over a file that was %s', (_, damage) => {
    holds(
      ['STORE-ACKED', 'LEDGER-DETECT'],
      'leaves no place where a new stack begins unnoticed',
      async () => {
        const given = await scene()
        damage(join(given.home, 'stacks', 'demo.db'))
        rmSync(join(given.home, 'stacks', 'demo.db.checkpoints'))
        const ends: string[] = []
        await killedAtEveryStep(given, async (home) => {
          const stack = await openStack('demo', { home }).catch((error: unknown) => error)
          if (stack instanceof MunimentError) {
            expect(['data_loss', 'store_corrupt']).toContain(stack.code)
            ends.push('refused')
            return
          }
          expect((await notesIn({ home })).texts).toEqual([NEW_NOTE])
          ends.push('new')
        })
        expect(new Set(ends)).toEqual(new Set(['refused', 'new']))
      },
      TIMEOUT_MS,
    )
  })
})
