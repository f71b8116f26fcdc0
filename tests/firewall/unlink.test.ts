import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import type { Stack } from '../../src/stack.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { PREFERENCE, TEMPLATES } from './preference.ts'

const model = at('mcp', { session: 'talk-1' })
const ann = { caller: at('cli', { person: true }), actor: 'ann' } as const

const note = (content: string, derivedFrom: readonly Ref[]) => ({
  kind: 'note' as const,
  body: { content },
  provenance: saying('ModelDerived', { derivedFrom: [...derivedFrom] }),
})

/** A person's note that the model's session was served, and a rewording that the model wrote. */
async function linked(stack: Stack) {
  const raw = await stack.write(
    {
      kind: 'raw',
      body: { content: 'Something else was captured' },
      provenance: saying('ExternalFirstHand'),
    },
    at('lib'),
  )
  const cited = [raw.ref as Ref]
  const said = {
    ...note(PREFERENCE, cited),
    provenance: saying('UserAsserted', { derivedFrom: cited }),
  }
  const original = (await stack.write(said, at('lib'))).ref as Ref
  await stack.history.trace(original, { caller: model })
  const kept = await stack.write(note(TEMPLATES[0] as string, cited), model)
  const linkOf = async () => (await stack.getMemory('note', String(kept.id)))?.rewordingOf
  expect(await linkOf()).toBe(original)
  return { original, cited, ref: String(kept.ref), linkOf }
}

describe('a link that is wrong', () => {
  holds('FIREWALL-UNLINK', 'is removed by a later entry on a person’s word', async () => {
    const { stack, store } = await freshStack()
    const { original, ref, linkOf } = await linked(stack)
    const done = await stack.changes.unlink(ref, { ...ann, reason: 'another theme' })
    expect(done).toMatchObject({ changed: true, reason: null })
    expect(await linkOf()).toBeNull()
    expect(entriesOf(store, stack).at(-1)).toMatchObject({
      op: 'echo.overruled',
      ref,
      decision: { facts: { phrasingOf: original } },
    })
    // Once is enough, and an unlinked memory has nothing to remove.
    for (const each of [ref, original]) {
      expect(await stack.changes.unlink(each, ann)).toMatchObject({
        changed: false,
        reason: 'already_so',
      })
    }
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  holds('FIREWALL-UNLINK', 'is not a model’s to remove: its proposal waits', async () => {
    const { stack } = await freshStack()
    const { original, ref, linkOf } = await linked(stack)
    const bot = { caller: model, actor: 'bot' }
    expect(await stack.changes.unlink(ref, bot)).toMatchObject({
      changed: false,
      reason: 'proposed',
    })
    // There is nothing to propose about a memory without a link.
    expect(await stack.changes.unlink(original, bot)).toMatchObject({
      entry: null,
      reason: 'already_so',
    })
    expect(await linkOf()).not.toBeNull()
    expect(await stack.review.list()).toMatchObject([{ kind: 'proposal', ref }])
    expect(await stack.review.settle(ref, 'accept', ann)).toMatchObject({ taken: true })
    expect(await linkOf()).toBeNull()
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  holds('FIREWALL-UNLINK', 'is not its author’s to remove, who may have disguised it', async () => {
    const { stack } = await freshStack()
    const { ref, linkOf } = await linked(stack)
    const { provenance } = (await stack.getMemory('note', ref.slice('note:'.length))) ?? {}
    const own = { caller: model, actor: String(provenance?.sourceId) }
    expect(await stack.changes.unlink(ref, own)).toMatchObject({ reason: 'proposed' })
    expect(await linkOf()).not.toBeNull()
  })

  test('goes with the words that it was about, and comes back with others', async () => {
    const { stack } = await freshStack()
    const { original, cited, ref, linkOf } = await linked(stack)
    const id = ref.slice('note:'.length)
    const reviseTo = (content: string) =>
      stack.write(
        { ...note(content, cited), id, revises: { expectedVersion: null } } as never,
        model,
      )
    await reviseTo('Birds sing in spring near the harbour')
    expect(await linkOf()).toBeNull()
    await reviseTo(TEMPLATES[5] as string)
    expect(await linkOf()).toBe(original)
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  holds(
    'FIREWALL-UNLINK',
    'silences no claim: a linked claim answers like any other of a model',
    async () => {
      const { stack } = await freshStack()
      const bot = { caller: model, actor: 'bot', label: { type: 'ModelDerived' } } as const
      const first = await stack.claims.remember('user', 'theme', 'dark mode and a quiet theme', bot)
      const again = await stack.claims.remember('user', 'theme', 'a quiet theme and dark mode', bot)
      expect(again.reasons).toEqual(['rewording'])
      expect((await stack.getMemory('claim', String(again.claimRef).slice(6)))?.rewordingOf).toBe(
        first.claimRef,
      )
      const line = { subject: 'user', predicate: 'theme' }
      expect(await stack.claims.ask(line)).toMatchObject({
        standing: 'held',
        value: 'a quiet theme and dark mode',
        evidence: 0,
      })
      // Of another subject or predicate it is no rewording, whatever its words.
      const other = await stack.claims.remember(
        'guest',
        'theme',
        'dark mode and a quiet theme',
        bot,
      )
      expect(other.reasons).toEqual([])
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )
})
