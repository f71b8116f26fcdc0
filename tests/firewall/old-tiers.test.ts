import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OpenOptions } from '../../src/compose/open-stack.ts'
import { restoreStack } from '../../src/compose/restore-stack.ts'
import { label } from '../../src/domain/labels.ts'
import { Entity, openStack } from '../../src/index.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { verifyLedger } from '../ledger/naive-verifier.ts'
import { ledgerOf } from '../ledger/vandal.ts'
import { cell, vandaliseNeatly } from '../sqlite/support/raw.ts'
import { at } from '../stack/support.ts'
import { ClientTools, HANDBOOK, HANDBOOK_TEXT } from './support/client-tools.ts'

/** A ledger of an earlier version: four pages that a tool read, and a checkpoint, all at tier 2. */
const OLD = new URL('../ledger/vectors/hook-captures-tier-2.bundle', import.meta.url)
const PAGE = 'The page says that the staging database is called Falcon.'
const TYPED = 'The staging database of the team is called Heron.'
const LOWERED = 5
/** The version of the tables before the fold lowered tiers. */
const BEFORE = 18

const restored = (home: string, more: OpenOptions = {}) =>
  restoreStack('demo', { from: OLD.pathname, home, ...more })

async function served(stack: Stack, use: 'act' | 'plan'): Promise<readonly string[]> {
  const asked = { for: use, recordTypes: ['raw', 'note'], limit: 20 } as const
  const found = await stack.search('what is the staging database called', asked)
  return found.map(({ content }) => content)
}

async function pageIn(stack: Stack) {
  const page = (await stack.list('raw')).find(({ text }) => text === PAGE)
  if (page === undefined) throw new Error('The ledger of the earlier version holds the page.')
  return page
}

/** What every stack with the old captures must answer. */
async function expectLowered(stack: Stack): Promise<void> {
  expect(await served(stack, 'act')).toEqual([TYPED])
  expect(await served(stack, 'plan')).toContain(PAGE)
  expect((await stack.ledger.audit()).problems).toEqual([])
}

describe('captures of tools that an earlier version recorded at tier 2', () => {
  test('count for tier 1, so that act is not served any, and the ledger is sound', async () => {
    const stack = await restored(scratch())
    await expectLowered(stack)
    const page = await pageIn(stack)
    expect([page.tier, page.provenance.trustTier]).toEqual([1, 2])
    await stack.close()
  })

  test('keep the authority of their birth: a caller of tier 1 changes none', async () => {
    const stack = await restored(scratch())
    const { id } = await pageIn(stack)
    const by = { label: label.modelDerived(), caller: at('mcp') }
    const result = await stack.forgetMemory('raw', id, 'not needed', by)
    expect(result).toBe(false)
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.close()
  })

  test('are sound after one is erased', async () => {
    const stack = await restored(scratch())
    await stack.erasure.erase((await pageIn(stack)).ref, { derived: 'list' })
    expect(await served(stack, 'plan')).not.toContain(PAGE)
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.close()
  })

  test('are sound by both verifiers, with a belief that they lifted when they counted for more', async () => {
    const store = new MemoryStore()
    const from = readFileSync(OLD, 'utf8').split(/(?<=\n)/)
    const stack = await restoreStack('demo', { from, store })
    const tiers = (await stack.list('belief')).map(({ tier }) => tier)
    expect(tiers).toEqual([2])
    // A capture of today counts as today: two of them, one from a tool, lift nothing above tier 1.
    const me = new Entity('host', { modelId: 'model-1' })
    await me.attachStack(stack)
    const by = { label: label.firstHand(), sourceType: 'observation' } as const
    const note = await me.note('Deploys fail on a lock', { observed: true })
    const belief = await me.belief('Locks make deploys fail', { derivedFrom: [note.ref] })
    const raws = [
      await me.raw('The host saw a lock.', { ...by, actor: 'host', caller: at('lib') }),
      await me.raw('A page tells of a lock.', { ...by, actor: 'tool', caller: at('hook') }),
    ]
    await stack.changes.verify(belief.ref, { evidence: raws.map(({ ref }) => ref) })
    expect((await stack.getMemory('belief', belief.id))?.tier).toBe(1)
    expect((await stack.ledger.audit()).problems).toEqual([])
    expect(verifyLedger(ledgerOf(store.rows(stack.stackId)))).toEqual([])
  })

  test('are not replayed by a guess: their entries do not hold the inputs of the decision', async () => {
    const stack = await restored(scratch())
    const { ref, entry } = await pageIn(stack)
    expect(await stack.ledger.replay(entry.seq)).toMatchObject({ ref, code: 'input.unrecorded' })
    await stack.close()
  })
})

/** Rows as an earlier version wrote them: the recorded tier, and no mark. */
const OLDER = `
  UPDATE memories SET tier = 2,
    marks = CASE WHEN marks LIKE '%"flags":[],"notes":{},"moves":[],"claim":null,"guard"%' THEN NULL
      ELSE json_remove(marks, '$.guard') END
    WHERE door = 'hook' AND label = 'ExternalFirstHand';
  ALTER TABLE stack_state DROP COLUMN received;
  PRAGMA user_version = ${BEFORE};`

test('rows of an earlier version are brought to tier 1 when the stack is opened', async () => {
  const home = scratch()
  await (await restored(home)).close()
  const file = path.join(home, 'stacks', 'demo.db')
  vandaliseNeatly(file, OLDER)
  const HOOKS = "SELECT count(*) FROM memories WHERE door = 'hook' AND tier = 2"
  expect(Number(cell(file, HOOKS))).toBe(LOWERED)
  const stack = await openStack('demo', { home })
  await expectLowered(stack)
  await stack.close()
  expect(Number(cell(file, HOOKS))).toBe(0)
})

describe('what a person vouches for', () => {
  test('says so in the entry, keeps tier 2 and is served to act', async () => {
    const client = new ClientTools()
    await client.trust()
    await client.start()
    await client.read(HANDBOOK)
    const stack = await client.stack()
    expect(await served(stack, 'act')).toContain(HANDBOOK_TEXT)
    const [capture] = await stack.list('raw')
    const { entries } = await stack.ledger.entries({ from: capture?.entry.seq ?? 0, limit: 1 })
    expect(entries[0]?.entry).toContain('"vouched":true')
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('is told from the same capture without the word of a person', async () => {
    const stack = await openStack('demo', { home: scratch() })
    const me = new Entity('muniment-hook', { modelId: 'unknown:claude-code' })
    await me.attachStack(stack)
    const tierOf = async (content: string, caller: ReturnType<typeof at>) => {
      const { id } = await me.raw(content, { label: label.firstHand(), actor: 'tool', caller })
      return (await stack.getMemory('raw', id))?.tier
    }
    expect(await tierOf('The first page of the handbook.', at('hook'))).toBe(1)
    expect(await tierOf('The second page of the handbook.', at('hook', { vouched: true }))).toBe(2)
    expect(await tierOf('The host of the library vouches for a page.', at('lib'))).toBe(2)
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.close()
  })
})

test('doctor lists the memories that count for less, with the reason', async () => {
  const desk = new Desk(scratch())
  await restored(desk.home, { store: desk.store('demo') })
  const { out } = await desk.person(['doctor', '--stack', 'demo', '--json'])
  const { checks } = JSON.parse(out) as { checks: { name: string; detail: string }[] }
  const { detail = '' } = checks.find(({ name }) => name === 'tiers') ?? {}
  expect(detail).toMatch(/^5 memories count for less than when recorded/)
  expect(detail).toMatch(/raw:[0-9a-f-]{36}/)
  expect(detail).toContain(
    'a hook captured the words of a tool, and no person vouches for tool and path',
  )
  // A stack without any says so.
  const other = new Desk(scratch())
  await other.person(['init', '--stack', 'demo'])
  expect((await other.person(['doctor', '--stack', 'demo'])).out).toContain(
    'every memory counts for what was recorded',
  )
})
