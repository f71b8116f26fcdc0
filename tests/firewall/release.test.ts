import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import type { WriteResult } from '../../src/domain/write.ts'
import { label } from '../../src/index.ts'
import { at, freshStack, saying } from '../stack/support.ts'

const BURST = 11
const PERSON = at('explorer', { person: true })

/** A bot says over and over what no live memory says. */
async function burst(fresh: Awaited<ReturnType<typeof freshStack>>) {
  const results: WriteResult[] = []
  for (let times = 0; times < BURST; times += 1) {
    results.push(
      await fresh.stack.write({
        kind: 'note',
        body: { content: 'The door was open again' },
        provenance: saying('ModelDerived', { sourceId: 'a bot' }),
        captures: [{ kind: 'raw', body: 'own words' }],
      }),
    )
    if (times === 0) await fresh.stack.forgetMemory('note', results[0]?.id ?? '', 'a loop')
  }
  const aside = results.at(-1)
  if (aside?.ref == null) throw new Error('a burst is set aside')
  return { aside: aside.ref, first: results[0]?.ref }
}

describe('what was set aside and is released', () => {
  test('is no second voice beside the memory that says the same', async () => {
    const fresh = await freshStack()
    const { aside, first } = await burst(fresh)
    await fresh.stack.recoverMemory('note', String(first).slice('note:'.length))
    expect(await fresh.stack.review.resolve(aside, 'accept')).toBe(true)
    const [kind = '', id = ''] = aside.split(':')
    expect(await fresh.stack.getMemory(kind as 'note', id)).toMatchObject({
      disposition: 'Superseded',
      review: null,
    })
    const found = await fresh.stack.search('door open', { recordTypes: ['note'] })
    expect(found.map(({ memoryId }) => `note:${memoryId}`)).toEqual([first])
    expect((await fresh.stack.ledger.audit()).problems).toEqual([])
  })

  test('starts its counter anew: the next one is an echo, and not set aside at once', async () => {
    const fresh = await freshStack()
    const { aside } = await burst(fresh)
    await fresh.stack.review.resolve(aside, 'accept')
    const again = await fresh.stack.write({
      kind: 'note',
      body: { content: 'The door was open again' },
      provenance: saying('ModelDerived', { sourceId: 'a bot' }),
      captures: [{ kind: 'raw', body: 'own words' }],
    })
    expect(again.disposition).toBe('Corroborated')
  })

  test('starts it anew also where another rule had set it aside, and nothing was counted yet', async () => {
    const { stack } = await freshStack()
    const source = await stack.write({
      kind: 'raw',
      body: { content: 'the first' },
      provenance: saying('ExternalFirstHand'),
    })
    const write = () =>
      stack.write({
        kind: 'claim',
        body: {
          subject: 'user',
          predicate: 'city',
          value: 'Berlin',
          validTime: { start: '2030-01-01T00:00:00.000Z', end: '2020-01-01T00:00:00.000Z' },
        },
        provenance: saying('ModelDerived', { sourceId: 'a bot', derivedFrom: [source.ref as Ref] }),
      })
    const { ref, rule } = await write()
    expect(rule).toBe('coherence')
    expect(await stack.review.resolve(ref ?? '', 'accept')).toBe(true)
    const again = []
    for (let times = 0; times < BURST; times += 1) again.push((await write()).rule)
    expect(again.slice(0, -1)).not.toContain('burst')
    expect(again.at(-1)).toBe('burst')
  })

  test('is decided again as it was, though as many said the same before', async () => {
    const { stack } = await freshStack()
    const write = (document: string) =>
      stack.write({
        kind: 'note',
        body: { content: 'The door was open again' },
        provenance: saying('UserAsserted', { sourceId: 'a clerk', document }),
        captures: [{ kind: 'raw', body: 'own words' }],
      })
    const results = []
    for (let times = 0; times < BURST; times += 1) {
      const result = await write(`letter ${times}`)
      results.push(result)
      const { id, rule } = result
      if (rule !== 'burst') await stack.forgetMemory('note', id ?? '', 'not so', { caller: PERSON })
    }
    const aside = results.at(-1)
    expect(aside?.rule).toBe('burst')
    await stack.review.resolve(aside?.ref ?? '', 'accept')
    const after = await write('one more letter')
    expect(after.rule).not.toBe('burst')
    expect((await stack.ledger.replay(after.entry?.seq ?? -1)).code).toBe('decision.same')
  })

  test('is believed with what was captured for it, and answers where it speaks', async () => {
    const { stack } = await freshStack()
    const { claimRef } = await stack.claims.ingest({
      subject: 'user',
      predicate: 'city',
      value: 'Berlin',
      provenance: label.userAsserted(),
      validTime: { start: '2030', end: '2020' },
    })
    if (claimRef === null) throw new Error('it is set aside, and there')
    const [, id = ''] = claimRef.split(':')
    expect((await stack.getMemory('claim', id))?.disposition).toBe('Quarantined')
    expect(await stack.review.resolve(claimRef, 'accept')).toBe(true)
    expect((await stack.getMemory('claim', id))?.disposition).toBe('CommittedCheap')
    const waiting = await stack.review.list({ kinds: ['quarantine'] })
    expect(waiting).toEqual([])
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.ledger.rebuild()
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('is distrusted where its origin is', async () => {
    const fresh = await freshStack()
    const { aside, first } = await burst(fresh)
    await fresh.stack.sources.distrust({ actor: 'a bot' })
    const [, id = ''] = aside.split(':')
    expect((await fresh.stack.getMemory('note', id))?.disposition).toBe('Distrusted')
    await fresh.stack.sources.trust({ actor: 'a bot' })
    expect((await fresh.stack.getMemory('note', id))?.disposition).toBe('Quarantined')
    expect(first).not.toBe(aside)
    expect((await fresh.stack.ledger.audit()).problems).toEqual([])
  })
})
