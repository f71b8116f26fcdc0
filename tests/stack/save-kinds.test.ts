import { describe, expect, test } from 'vitest'
import { KINDS, type Ref } from '../../src/domain/ids.ts'
import { parseBody } from '../../src/domain/kinds/table.ts'
import { PROVENANCE_FIELDS } from '../../src/domain/provenance.ts'
import type { Stack } from '../../src/stack.ts'
import { holds } from '../support/holds.ts'
import { SAMPLE_KINDS, SAMPLES, type SampleKind } from './kinds.ts'
import { freshStack, papersFor } from './support.ts'

const SAVERS: Readonly<Record<SampleKind, (stack: Stack) => (record: never) => Promise<string>>> = {
  raw: (stack) => stack.saveRaw,
  episode: (stack) => stack.saveEpisode,
  note: (stack) => stack.saveNote,
  claim: (stack) => stack.saveClaim,
  belief: (stack) => stack.saveBelief,
  goal: (stack) => stack.saveGoal,
  relationship: (stack) => stack.saveRelationship,
  value: (stack) => stack.saveValue,
  drive: (stack) => stack.saveDrive,
  playbook: (stack) => stack.savePlaybook,
  summary: (stack) => stack.saveSummary,
  self_narrative: (stack) => stack.saveSelfNarrative,
  epoch: (stack) => stack.saveEpoch,
  suggestion: (stack) => stack.saveSuggestion,
}

const GETTERS: Readonly<Record<SampleKind, (stack: Stack) => Promise<readonly unknown[]>>> = {
  raw: (stack) => stack.getRaw(),
  episode: (stack) => stack.getEpisodes(),
  note: (stack) => stack.getNotes(),
  claim: (stack) => stack.getClaims(),
  belief: (stack) => stack.getBeliefs(),
  goal: (stack) => stack.getGoals(),
  relationship: (stack) => stack.getRelationships(),
  value: (stack) => stack.getValues(),
  drive: (stack) => stack.getDrives(),
  playbook: (stack) => stack.getPlaybooks(),
  summary: (stack) => stack.getSummaries(),
  self_narrative: (stack) => stack.getSelfNarratives(),
  epoch: (stack) => stack.getEpochs(),
  suggestion: (stack) => stack.list('suggestion'),
}

/** Saves a sample of a kind, and first everything it is made from. */
async function saveSample(stack: Stack, kind: SampleKind, id?: string): Promise<string> {
  const { body, from } = SAMPLES[kind]
  const derivedFrom = from === null ? [] : [await refOfSample(stack, from as SampleKind)]
  const provenance = await papersFor(stack, kind, body as never, { derivedFrom })
  const record = { ...body, provenance, ...(id === undefined ? {} : { id }) }
  return SAVERS[kind](stack)(record as never) // the kind says which record
}

async function refOfSample(stack: Stack, kind: SampleKind): Promise<Ref> {
  const [found] = await stack.list(kind, { limit: 1 })
  return found?.ref ?? (`${kind}:${await saveSample(stack, kind)}` as Ref) // kind and id
}

test('there is a sample of every kind', () => {
  expect(SAMPLE_KINDS).toEqual([...KINDS, 'suggestion'])
})

describe('every kind is certified, saved and read back', () => {
  test.each(SAMPLE_KINDS)('%s', async (kind) => {
    const { stack } = await freshStack()
    await stack.control.setState('ACTIVE')
    const id = await saveSample(stack, kind)
    const memory = await stack.getMemory(kind, id)
    expect(memory).toMatchObject({ kind, id, version: 1, strength: 1, confidence: 0.8, tier: 2 })
    expect(memory?.body).toEqual(parseBody(kind, SAMPLES[kind].body))
    expect(memory?.text).not.toBe('')
    expect(Object.keys(memory?.provenance ?? {})).toEqual(
      expect.arrayContaining([...PROVENANCE_FIELDS]),
    )
    expect(await GETTERS[kind](stack)).toEqual([memory])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })
})

holds(
  ['PROV-BIRTH', 'PROV-NOBYPASS'],
  'no kind is saved without its papers, or with papers of something else',
  async () => {
    const { stack } = await freshStack()
    await stack.control.setState('ACTIVE')
    const other = await papersFor(stack, 'raw', { content: 'something else' })
    for (const kind of SAMPLE_KINDS) {
      const save = SAVERS[kind](stack)
      const { body } = SAMPLES[kind]
      await expect(save({ ...body } as never), kind).rejects.toMatchObject({
        code: 'invalid_provenance',
        issues: [{ path: 'provenance' }],
      })
      await expect(save({ ...body, provenance: other } as never), kind).rejects.toMatchObject({
        code: 'invalid_provenance',
        issues: [{ path: 'contentHash' }],
      })
    }
    expect(await stack.getStats()).toEqual({ total: 0 })
  },
)

describe('an id that is saved again', () => {
  const id = '00000000-0000-7000-8000-00000000abcd'

  holds('PROV-FIXED', 'is a no-op when it says the same, for every kind', async () => {
    for (const kind of SAMPLE_KINDS) {
      const { stack, store } = await freshStack()
      await stack.control.setState('ACTIVE')
      await saveSample(stack, kind, id)
      const { tip } = store.rows(stack.stackId)
      expect(await saveSample(stack, kind, id), kind).toBe(id)
      expect(store.rows(stack.stackId).tip, kind).toEqual(tip)
    }
  })

  holds('PROV-FIXED', 'is refused when body, label, source or parents are others', async () => {
    const { stack, store } = await freshStack()
    await stack.control.setState('ACTIVE')
    const raw = await refOfSample(stack, 'raw')
    const body = { content: 'said once' }
    const papers = await papersFor(stack, 'note', body, { derivedFrom: [raw] })
    await stack.saveNote({ ...body, id, provenance: papers })
    const second = `raw:${await saveSample(stack, 'raw', '00000000-0000-7000-8000-0000000000aa')}`
    const otherBody = { content: 'said otherwise' }
    const others = [
      {
        ...otherBody,
        provenance: await papersFor(stack, 'note', otherBody, { derivedFrom: [raw] }),
      },
      { ...body, provenance: { ...papers, sourceId: 'somebody else' } },
      { ...body, provenance: { ...papers, derivedFrom: [raw, second as Ref] } },
      {
        ...body,
        provenance: {
          ...papers,
          label: { type: 'External' as const, kind: 'UserAsserted' as const },
        },
      },
    ]
    const { tip } = store.rows(stack.stackId)
    for (const record of others) {
      await expect(stack.saveNote({ ...record, id })).rejects.toMatchObject({ code: 'id_exists' })
    }
    expect(store.rows(stack.stackId).tip).toEqual(tip)
  })

  holds('GATE-ONE-ENTRY', 'also when its own words were captured beside it', async () => {
    const { stack, store } = await freshStack()
    const request = {
      kind: 'note' as const,
      id,
      body: { content: 'told directly' },
      provenance: { ...(await papersFor(stack, 'note', { content: 'told directly' })) },
      captures: [{ kind: 'raw' as const, body: { content: 'told directly' } }],
    }
    const first = await stack.write(request)
    const { tip } = store.rows(stack.stackId)
    expect(await stack.write(request)).toMatchObject({ ref: first.ref, entry: first.entry })
    expect(store.rows(stack.stackId).tip).toEqual(tip)
    expect(await stack.getStats()).toEqual({ raw: 1, note: 1, total: 2 })
    const other = [{ kind: 'raw' as const, body: { content: 'told in other words' } }]
    await expect(stack.write({ ...request, captures: other })).rejects.toMatchObject({
      code: 'id_exists',
    })
  })
})
