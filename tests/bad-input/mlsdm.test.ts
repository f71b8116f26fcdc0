import { describe, expect, test } from 'vitest'
import { nodeSha256 } from '../../src/compose/node-world.ts'
import { label } from '../../src/domain/labels.ts'
import type { ProvenancePayload } from '../../src/domain/provenance.ts'
import { contentHash } from '../../src/ledger/ledger.ts'
import type { Stack } from '../../src/stack.ts'
import { holds } from '../support/holds.ts'
import { ending, ground } from './ground.ts'

/** Cases on which another system was run, each with the answer that ours gives. */

const CONTENT = 'the train leaves at nine'

async function papers(stack: Stack, more: object = {}): Promise<ProvenancePayload> {
  const certified = await stack.control.certify('raw', { content: CONTENT })
  return {
    sourceType: 'direct_experience',
    label: label.firstHand(),
    sourceId: 'sensor-1',
    ingestionPath: 'lib:test',
    confidence: 0.8,
    llmModel: null,
    trustTier: 2,
    ...certified,
    ...more,
  }
}

/** Saves a raw with one thing changed in its papers. */
async function saved(more: object) {
  const { stack } = await ground()
  const provenance = await papers(stack, more)
  const ended = await ending(stack, () => stack.saveRaw({ content: CONTENT, provenance }))
  return { stack, ended, provenance }
}

describe('refused with a typed code and every bad field named, and nothing is written', () => {
  test.each([
    ['C02 confidence 1.5', { confidence: 1.5 }, 'confidence'],
    ['C02 confidence -0.1', { confidence: -0.1 }, 'confidence'],
    ['C02 confidence 1.0000001', { confidence: 1.0000001 }, 'confidence'],
    ['C02 confidence NaN', { confidence: Number.NaN }, 'confidence'],
    ['C04 confidence true', { confidence: true }, 'confidence'],
    ['C05 a source id of two spaces', { sourceId: '  ' }, 'sourceId'],
    ['C05 a source id of null', { sourceId: null }, 'sourceId'],
    ['C05 an empty path', { ingestionPath: '' }, 'ingestionPath'],
    ['C06 an upper-case content hash', { contentHash: 'A'.repeat(64) }, 'contentHash'],
    ['C06 a content hash of 63', { contentHash: 'a'.repeat(63) }, 'contentHash'],
    ['C06 a policy hash of x', { policyHash: 'x'.repeat(64) }, 'policyHash'],
    ['C07 tier 4', { trustTier: 4 }, 'trustTier'],
    ['C07 tier -1', { trustTier: -1 }, 'trustTier'],
    ['C07 tier true', { trustTier: true }, 'trustTier'],
    ['C08 tier "2"', { trustTier: '2' }, 'trustTier'],
    ['C08 tier 2.9', { trustTier: 2.9 }, 'trustTier'],
    ['C09 source "tool"', { source: 'tool' }, 'source'],
    ['C10 a model without a name', { label: label.modelDerived(), llmModel: null }, 'llmModel'],
    ['C12 a time in 2999', { timestamp: '2999-01-01T00:00:00.000Z' }, 'timestamp'],
    [
      'C15 the hash of other content',
      { contentHash: contentHash(nodeSha256, 'hello') },
      'contentHash',
    ],
    ['C17 a policy that is not in force', { policyHash: 'a'.repeat(64) }, 'policyHash'],
  ])('%s', async (_, more, field) => {
    const { ended } = await saved(more)
    expect(ended).toMatchObject({ kept: false, error: { code: 'invalid_provenance' } })
    if (ended.kept) return
    expect(ended.error.name).toBe('ProvenanceError')
    expect(ended.error.issues.map(({ path }) => path.replace('provenance.', ''))).toContain(field)
  })

  test('C01 no provenance at all', async () => {
    const { stack } = await ground()
    const ended = await ending(stack, () => stack.saveRaw({ content: CONTENT } as never)) // tried
    expect(ended).toMatchObject({
      kept: false,
      error: { code: 'invalid_provenance', issues: [{ path: 'provenance' }] },
    })
  })

  test('C16 the hash of the item and the hash in its papers are one: there is no second to differ', async () => {
    const { stack, ended } = await saved({})
    const memory = ended.kept ? await stack.getMemory('raw', ended.id) : null
    expect(memory?.provenance.contentHash).toBe(contentHash(nodeSha256, memory?.body))
  })

  test('C17 says which policy is in force', async () => {
    const { stack, ended } = await saved({ policyHash: 'a'.repeat(64) })
    const { policyHash } = await stack.control.getPolicy()
    expect(ended.kept ? '' : JSON.stringify(ended.error.issues)).toContain(policyHash)
  })

  test('C20 a claim with a wrong hash', async () => {
    const { stack, raw } = await ground()
    const provenance = await papers(stack, { derivedFrom: [raw] })
    const body = { subject: 'a', predicate: 'b', value: 1 }
    const ended = await ending(stack, () => stack.saveClaim({ ...body, provenance }))
    expect(ended).toMatchObject({ kept: false, error: { issues: [{ path: 'contentHash' }] } })
  })

  test('all bad fields are named at once', async () => {
    const { ended } = await saved({ confidence: 2, sourceId: '', trustTier: 9, policyHash: 'x' })
    const paths = ended.kept ? [] : ended.error.issues.map(({ path }) => path)
    expect(paths.sort()).toEqual([
      'provenance.confidence',
      'provenance.policyHash',
      'provenance.sourceId',
      'provenance.trustTier',
    ])
  })
})

describe('taken', () => {
  test.each([
    ['C03 confidence 0', { confidence: 0 }],
    ['C03 confidence 1', { confidence: 1 }],
    ['C07 tier 2.0, which is 2 in this language', { trustTier: 2.0 }],
    ['C09 the source that the label gives', { source: 'retrieved' }],
    ['C12 a time a little ahead', { timestamp: '2026-01-01T00:04:00.000Z' }],
    ['a lower tier than it could have', { trustTier: 0 }],
  ])('%s', async (_, more) => {
    const { ended } = await saved(more)
    expect(ended.kept).toBe(true)
  })
})

holds('LINE-REAL', 'C11: a parent that does not exist is refused, and so is a cycle', async () => {
  const { stack } = await ground()
  const ghost = 'raw:00000000-0000-7000-8000-00000000dead'
  const provenance = await papers(stack, { derivedFrom: [ghost] })
  const { contentHash: ofNote } = await stack.control.certify('note', { content: CONTENT })
  const record = { content: CONTENT, provenance: { ...provenance, contentHash: ofNote } }
  const ended = await ending(stack, () => stack.saveNote(record))
  expect(ended).toMatchObject({
    kept: false,
    error: { code: 'refused', facts: { rule: 'lineage', reasons: ['parent_missing'] } },
  })
  const id = '00000000-0000-7000-8000-00000000beef'
  const own = await papers(stack, { derivedFrom: [`claim:${id}`] })
  const body = { subject: 'a', predicate: 'b', value: 1 }
  const { contentHash: ofClaim } = await stack.control.certify('claim', body)
  const cycle = await ending(stack, () =>
    stack.saveClaim({ ...body, id, provenance: { ...own, contentHash: ofClaim } }),
  )
  expect(cycle).toMatchObject({ kept: false, error: { facts: { reasons: ['cycle'] } } })
})

holds('PROV-FIXED', 'C12: the ledger’s time is the engine’s, whatever time is given', async () => {
  const { stack, ended } = await saved({ timestamp: '2020-01-01T00:00:00.000Z' })
  const memory = ended.kept ? await stack.getMemory('raw', ended.id) : null
  expect(memory?.provenance.timestamp).toBe('2026-01-01T00:00:00.000Z')
})

holds(
  'PROV-FIXED',
  'C13: a tier changed in the papers after they were handed in changes nothing',
  async () => {
    const { stack } = await ground()
    const provenance: Record<string, unknown> = { ...(await papers(stack)) }
    const saving = stack.saveRaw({ content: CONTENT, provenance: provenance as never }) // as papers
    provenance.trustTier = 99
    const id = await saving
    expect((await stack.getMemory('raw', id))?.provenance.trustTier).toBe(2)
    await expect(
      stack.saveRaw({ content: 'other', provenance: provenance as never }),
    ).rejects.toThrow('trustTier')
  },
)

holds('PROV-BIRTH', 'C14: a model’s write without its model is refused loudly', async () => {
  const { stack, raw } = await ground()
  const provenance = {
    sourceType: 'inference' as const,
    label: label.modelDerived(),
    sourceId: 'm',
    ingestionPath: 'lib:test',
    confidence: 0.5,
    llmModel: null,
    derivedFrom: [raw],
  }
  await expect(
    stack.write({ kind: 'note', body: { content: CONTENT }, provenance }),
  ).rejects.toMatchObject({ code: 'invalid_provenance', issues: [{ path: 'llmModel' }] })
})

holds(
  'GATE-ONE-ENTRY',
  'C18: shape is judged first and leaves nothing; doubt is judged then and leaves its entry',
  async () => {
    const { stack, raw } = await ground()
    const claim = { subject: 'a', predicate: 'b', value: 1 }
    const request = (confidence: number, value: unknown) => ({
      kind: 'claim' as const,
      body: { ...claim, value } as never, // also what is no value
      provenance: {
        sourceType: 'direct_experience' as const,
        label: label.firstHand(),
        sourceId: 's',
        ingestionPath: 'lib:test',
        confidence,
        llmModel: null,
        derivedFrom: [raw],
      },
    })
    const before = (await stack.ledger.audit()).entries
    await expect(stack.write(request(0.1, Number.NaN))).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect((await stack.ledger.audit()).entries).toBe(before)
    const doubted = await stack.write(request(0.19, 1))
    expect(doubted).toMatchObject({ disposition: 'PendingLowConfidence', rule: 'conflict' })
    expect((await stack.ledger.audit()).entries).toBe(before + 1)
    // C19: exactly at the floor is enough.
    expect(await stack.write(request(0.2, 2))).toMatchObject({ disposition: 'CommittedCheap' })
  },
)

holds(
  'GATE-PURE',
  'C37: what one field ends with is never taken for what the next begins with',
  async () => {
    const { stack, raw } = await ground()
    const hashes = new Set<string>()
    for (const [subject, predicate] of [
      ['a|b', 'c'],
      ['a', 'b|c'],
      ['a","b', 'c'],
      ['a', 'b","c'],
    ] as const) {
      const body = { subject, predicate, value: 1 }
      hashes.add((await stack.control.certify('claim', body)).contentHash)
      const provenance = {
        sourceType: 'direct_experience' as const,
        label: label.firstHand(),
        sourceId: 's',
        ingestionPath: 'lib:test',
        confidence: 1,
        llmModel: null,
        derivedFrom: [raw],
      }
      // Were two of them one identity, the second would be a restatement of the first.
      expect(await stack.write({ kind: 'claim', body, provenance })).toMatchObject({
        rule: 'admit',
      })
    }
    expect(hashes.size).toBe(4)
  },
)

holds(
  'PROV-FIXED',
  'C41: the same id again is a no-op when it says the same, and an error when not',
  async () => {
    const { stack, ended, provenance } = await saved({})
    expect(ended.kept).toBe(true)
    if (!ended.kept) return
    const again = await stack.saveRaw({ content: CONTENT, id: ended.id, provenance })
    expect(again).toBe(ended.id)
    const other = 'something else'
    const { contentHash: ofOther } = await stack.control.certify('raw', { content: other })
    const record = {
      content: other,
      id: ended.id,
      provenance: { ...provenance, contentHash: ofOther },
    }
    await expect(stack.saveRaw(record)).rejects.toMatchObject({ code: 'id_exists' })
    expect((await stack.getMemory('raw', ended.id))?.body.content).toBe(CONTENT)
  },
)

holds('GATE-PURE', 'C48: 1 and 1.0 are one number, with one hash', async () => {
  const { stack } = await ground()
  const [one, same] = [
    await stack.control.certify('claim', { subject: 'a', predicate: 'b', value: JSON.parse('1') }),
    await stack.control.certify('claim', {
      subject: 'a',
      predicate: 'b',
      value: JSON.parse('1.0'),
    }),
  ]
  expect(one.contentHash).toBe(same.contentHash)
})
