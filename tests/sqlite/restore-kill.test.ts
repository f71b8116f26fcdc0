import { cpSync, existsSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { holds } from '../support/holds.ts'
import { ownFolder } from './support/folder.ts'
import { type KillPoint, restored, STEP_NAMES, type StepName } from './support/restorer.ts'
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
  await stack.ledger.checkpoint()
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
type Scene = Awaited<ReturnType<typeof scene>>

const EVERY_STEP = process.env.MUNIMENT_ALL_KILLS === '1'

const at = (step: StepName, ...nths: readonly number[]): readonly KillPoint[] =>
  nths.map((nth) => ({ step, nth }))

/** For each kind of file: around both renames, between like steps, and each kind of step at least once. */
const CHOSEN = {
  whole: [
    ...[...at('exec', 2), ...at('link', 2), ...at('write', 1), ...at('rename', 1, 2)],
    ...[...at('sync', 5), ...at('close', 3)],
  ],
  short: [...at('close', 1), ...at('unlink', 2), ...at('rename', 2), ...at('rm', 5)],
  empty: [...at('mkdir', 2), ...at('rename', 1, 2), ...at('sync', 5)],
} satisfies Readonly<Record<string, readonly KillPoint[]>>

/** Restores in a copy of a home, is killed, and looks at what is left. */
async function killedAt(
  { folder, home, from }: Scene,
  killBefore: KillPoint,
  look: Look,
): Promise<'killed' | 'done'> {
  const name = `${killBefore.step}-${killBefore.nth}`
  const copy = join(folder, `home-${name}`)
  cpSync(home, copy, { recursive: true })
  const end = await restored({ home: copy, from, killBefore })
  await look(copy).catch((cause: unknown) => {
    throw new Error(`killed before ${name}`, { cause })
  })
  rmSync(copy, { recursive: true })
  return end
}

/** Restores that are each killed at another step; at every step, if asked, until a restore ends. */
async function killedAtSteps(
  given: Scene,
  chosen: readonly KillPoint[],
  look: Look,
): Promise<number> {
  for (let first = 1; first < STEPS_MAX; first += AT_ONCE) {
    const points = EVERY_STEP
      ? Array.from(
          { length: AT_ONCE },
          (_, index) => ({ step: 'any', nth: first + index }) as const,
        )
      : chosen.slice(first - 1, first - 1 + AT_ONCE)
    const ends = await Promise.all(points.map((point) => killedAt(given, point, look)))
    if (EVERY_STEP && ends.includes('done')) return first + ends.indexOf('done') - 1
    if (EVERY_STEP) continue
    expect(ends).not.toContain('done') // a chosen step that is never made would show nothing
    if (first + AT_ONCE > chosen.length) return chosen.length
  }
  throw new Error('the restore never ended')
}

async function notesIn(place: { readonly home: string; readonly path?: string }) {
  const stack = await openStack('demo', place)
  try {
    const { problems } = await stack.ledger.audit()
    expect(problems).toEqual([])
    const notes = await stack.getNotes({ limit: 1_000 })
    return { ids: new Set(notes.map(({ id }) => id as string)), texts: notes.map((n) => n.text) }
  } finally {
    await stack.close()
  }
}

test('the chosen steps are of every kind', () => {
  const kinds = Object.values(CHOSEN).flatMap((points) => points.map(({ step }) => step))
  expect(new Set(kinds)).toEqual(new Set(STEP_NAMES))
})

describe('a restore that is killed between two steps (MUNIMENT_ALL_KILLS=1: all of them)', () => {
  holds(
    'STORE-ACKED',
    'leaves the old stack with every acknowledged write, or the new one',
    async () => {
      const given = await scene()
      const seen = { old: 0, new: 0 }
      const steps = await killedAtSteps(given, CHOSEN.whole, async (home) => {
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
      expect(seen.old).toBeGreaterThan(EVERY_STEP ? 5 : 3)
      expect(seen.new).toBeGreaterThan(1)
      expect(steps).toBeGreaterThan(EVERY_STEP ? 20 : 5)
    },
    TIMEOUT_MS,
  )

  const DAMAGES = [
    ['cut short', CHOSEN.short, (file: string) => truncateSync(file, 20_000)],
    ['emptied', CHOSEN.empty, (file: string) => truncateSync(file)],
  ] as const

  describe.each(DAMAGES)('over a file that was %s', (_, chosen, damage) => {
    holds(
      ['STORE-ACKED', 'LEDGER-DETECT'],
      'leaves no place where a new stack begins unnoticed',
      async () => {
        const given = await scene()
        damage(join(given.home, 'stacks', 'demo.db'))
        rmSync(join(given.home, 'stacks', 'demo.db.checkpoints'))
        const ends: string[] = []
        await killedAtSteps(given, chosen, async (home) => {
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
