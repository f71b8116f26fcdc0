import { describe, expect, test } from 'vitest'
import { MunimentError } from '../../src/domain/errors.ts'
import type { Stack } from '../../src/stack.ts'
import { StackHand } from '../../src/testing/conformance/protocol-given.ts'
import { at, freshStack } from '../stack/support.ts'
import {
  BAD,
  FOREIGN,
  facet,
  type Ids,
  LISTS,
  type Loose,
  sly,
  TEN_MEGABYTES,
  throwing,
} from './protocol-calls.ts'

async function ground() {
  const { stack, store } = await freshStack({ components: [] })
  const hand = new StackHand(stack)
  const ids = {
    raw: await hand.id('raw'),
    note: await hand.id('note'),
    belief: await hand.id('belief'),
    drive: await hand.id('drive'),
    suggestion: await hand.id('suggestion'),
  }
  return { stack, store, hand, ids }
}

type Ground = Awaited<ReturnType<typeof ground>>

/** Ends in a coded error, by rejection and never by a throw, and leaves no trace. */
async function refuses(
  { stack, store }: Ground,
  call: (methods: Loose) => Promise<unknown>,
  what: string,
): Promise<MunimentError> {
  const before = store.rows(stack.stackId).tip
  const pending = (() => {
    try {
      return call(stack as unknown as Loose) // as a caller without types sees it
    } catch {
      throw new Error(`${what}: thrown, not rejected`)
    }
  })()
  const error = await pending.then(
    () => null,
    (cause: unknown) => cause,
  )
  if (!(error instanceof MunimentError)) throw new Error(`${what}: ${String(error)}`)
  expect(error.code, what).not.toBe('invariant')
  expect(error.message.length, what).toBeLessThan(2_000)
  expect(store.rows(stack.stackId).tip, what).toEqual(before)
  return error
}

/** Every method that takes options, with arguments that are right. */
const OPTIONAL: readonly (readonly [string, (ids: Ids) => readonly unknown[]])[] = [
  ...LISTS.map((name) => [name, () => []] as const),
  ['getDrives', () => []],
  ['getRelationships', () => []],
  ['getSuggestions', () => []],
  ['getTrustAssessments', () => []],
  ['search', () => ['train']],
  ['load', () => []],
  ['dump', () => []],
  ['promote', () => []],
  ['applyForgetting', () => []],
  ['pullChanges', () => []],
  ['recordAccess', ({ note }) => ['note', note]],
  ['updateMemoryMeta', ({ note }) => ['note', note]],
  ['recoverMemory', ({ note }) => ['note', note]],
  ['protectMemory', ({ note }) => ['note', note, true]],
  ['forgetMemory', ({ note }) => ['note', note, 'why']],
  ['dismissSuggestion', ({ suggestion }) => [suggestion, 'why']],
]

describe('options', () => {
  test.each(OPTIONAL)(
    '%s: null is none, and what cannot be read is an error',
    async (name, args) => {
      const scene = await ground()
      const given = args(scene.ids)
      const methods = scene.stack as unknown as Loose // as above
      expect(methods[name], 'the method is there').toBeTypeOf('function')
      await methods[name]?.(...given, null)
      for (const [what, options] of [
        ['a text', 'all'],
        ['a number', 7],
        ['a list', []],
        ['a getter that throws', throwing],
        ['a proxy that throws', sly],
      ] as const) {
        await refuses(scene, async (on) => on[name]?.(...given, options), `${name} with ${what}`)
      }
    },
  )

  test('review.list: null is none, and what cannot be read is an error', async () => {
    const scene = await ground()
    await scene.stack.review.list(null)
    for (const options of ['all', 7, [], throwing, sly]) {
      await refuses(
        scene,
        async (on) => facet(on, 'review').list?.(options),
        String(typeof options),
      )
    }
  })

  test('a caller that got lost on the way is nobody, and not the host', async () => {
    const scene = await ground()
    const { note, suggestion } = scene.ids
    for (const caller of [null, 'host', {}, { ...at('mcp'), door: 'window' }]) {
      await refuses(
        scene,
        (on) => on.forgetMemory?.('note', note, 'x', { caller }) as never,
        'forget',
      )
      await refuses(
        scene,
        (on) => on.dismissSuggestion?.(suggestion, 'x', { caller }) as never,
        'no',
      )
      await refuses(
        scene,
        (on) => on.acceptSuggestion?.(suggestion, null, { caller }) as never,
        'yes',
      )
      await refuses(
        scene,
        (on) =>
          facet(on, 'review').resolve?.(`suggestion:${suggestion}`, 'dismiss', { caller }) as never,
        'review',
      )
      const body = { entityId: 'x', dimensions: {} }
      await refuses(scene, (on) => on.saveTrustAssessment?.(body, { caller }) as never, 'trust')
    }
    for (const label of [null, 'UserAsserted', { type: 'External' }, { type: '__proto__' }]) {
      await refuses(
        scene,
        (on) => on.forgetMemory?.('note', note, 'x', { label }) as never,
        'label',
      )
    }
    for (const actor of [null, '', ' ', '*', 7, '\ud800', TEN_MEGABYTES]) {
      await refuses(
        scene,
        (on) => on.forgetMemory?.('note', note, 'x', { actor }) as never,
        'actor',
      )
    }
  })
})

describe('what cannot be meant', () => {
  test.each(BAD)('%s', async (what, call) => {
    const scene = await ground()
    await refuses(scene, async (on) => call(on, scene.ids), what)
  })

  test('ids of another stack change nothing and are not found', async () => {
    const { stack, store } = await ground()
    const before = store.rows(stack.stackId).tip
    const answers = await Promise.all([
      stack.getMemory('note', FOREIGN),
      stack.getSuggestion(FOREIGN),
      stack.acceptSuggestion(FOREIGN),
      stack.recordAccess('note', FOREIGN),
      stack.forgetMemory('note', FOREIGN, 'why'),
      stack.recoverMemory('note', FOREIGN),
      stack.protectMemory('note', FOREIGN),
      stack.updateMemoryMeta('note', FOREIGN, { confidence: 0 }),
      stack.dismissSuggestion(FOREIGN),
      stack.updateDriveAtomic({ id: FOREIGN, driveType: 'x' }),
      stack.review.resolve(`note:${FOREIGN}`, 'keep'),
    ])
    expect(answers).toEqual([null, null, null, ...Array(8).fill(false)])
    expect(store.rows(stack.stackId).tip).toEqual(before)
  })

  test('a suggestion out of sources that are not here is refused when it is accepted', async () => {
    const scene = await ground()
    const id = await scene.hand.id('suggestion', { sourceRefs: [`raw:${FOREIGN}`] })
    const { stack } = scene
    const before = await stack.getStats()
    await expect(stack.acceptSuggestion(id)).rejects.toMatchObject({ code: 'refused' })
    expect(await stack.getStats()).toEqual(before)
    expect((await stack.getSuggestion(id))?.status).toBe('pending')
  })
})

test('a closed stack says so, whatever it is asked', async () => {
  const { stack } = await ground()
  await stack.close()
  const methods: readonly ((on: Stack) => Promise<unknown>)[] = [
    (on) => on.getNotes(),
    (on) => on.search('x'),
    (on) => on.load(),
    (on) => on.dump(),
    (on) => on.getStats(),
    (on) => on.promote(),
    (on) => on.applyForgetting(),
    (on) => on.maintenance(),
    (on) => on.review.list(),
    (on) => on.recordAccess('note', FOREIGN),
    (on) => on.getTrustAssessments(),
  ]
  for (const method of methods) {
    await expect(method(stack)).rejects.toMatchObject({ code: 'stack_closed' })
  }
})
