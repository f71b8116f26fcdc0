import { describe, expect } from 'vitest'
import type { Kind, Ref } from '../../src/domain/ids.ts'
import { label, SOURCE_TYPES } from '../../src/domain/labels.ts'
import { freshEntity, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { memoryOf, smallFamily } from './support.ts'

describe('source types', () => {
  holds('P-03', 'are these six, and say nothing of people and machines', async () => {
    expect([...SOURCE_TYPES].sort()).toEqual([
      'consolidation',
      'direct_experience',
      'external',
      'inference',
      'observation',
      'seed',
    ])
    const { me } = await freshEntity()
    const unknown = 'processing' as 'inference' // what a caller in JavaScript may send
    await expect(me.raw('x', { sourceType: unknown })).rejects.toMatchObject({
      code: 'invalid_provenance',
    })
  })

  const typeOf = async (made: Promise<{ ref: Ref }>, stack: Parameters<typeof memoryOf>[0]) =>
    (await memoryOf(stack, (await made).ref)).provenance.sourceType

  holds('P-04', 'raw captures and entries by hand are direct experience', async () => {
    const { me, stack } = await freshEntity()
    expect(await typeOf(me.raw('seen'), stack)).toBe('direct_experience')
    expect(await typeOf(me.note('noted'), stack)).toBe('direct_experience')
    expect(await typeOf(me.episode({ objective: 'a', outcome: 'b' }), stack)).toBe(
      'direct_experience',
    )
  })

  holds('P-05', 'what is reasoned from other memories is inference', async () => {
    const { stack, belief } = await smallFamily()
    expect((await memoryOf(stack, belief)).provenance.sourceType).toBe('inference')
  })

  holds('P-06', 'what came of reviewing experience is consolidation', async () => {
    const { me, stack } = await freshEntity()
    for (const objective of ['first try', 'second try']) {
      await me.episode({ objective, outcome: 'ok', lessons: ['Small steps are safer steps'] })
    }
    const { beliefsCreated } = await stack.promote()
    const [made] = beliefsCreated
    if (!made) throw new Error('nothing was promoted')
    expect((await memoryOf(stack, made)).provenance.sourceType).toBe('consolidation')
  })

  holds('P-07', 'what another being told is external, whoever it is', async () => {
    const { me, stack } = await freshEntity()
    const told = { sourceType: 'external', source: 'Ann' } as const
    expect(await typeOf(me.note('Ann says so', told), stack)).toBe('external')
    expect(
      await typeOf(me.note('the planner says so', { ...told, source: 'planner-agent' }), stack),
    ).toBe('external')
  })

  holds('P-08', 'what is loaded while the stack is set up is seed', async () => {
    const { stack } = await freshStack()
    const seed = await stack.write({
      kind: 'value',
      body: { name: 'honesty', statement: 'Saying what is so' },
      provenance: saying('ExternalFirstHand', { sourceType: 'seed' }),
    })
    expect(seed).toMatchObject({ disposition: 'CommittedCheap' })
    expect((await memoryOf(stack, seed.ref as Ref)).provenance).toMatchObject({
      sourceType: 'seed',
      source: 'system',
    })
  })

  holds('P-09', 'what a document or the web says is observation', async () => {
    const { me, stack } = await freshEntity()
    const read = { sourceType: 'observation', document: 'https://example.org/page' } as const
    expect(await typeOf(me.raw('read on a page', read), stack)).toBe('observation')
  })
})

describe('promotion records lineage', () => {
  holds('P-11', 'from raw to episode', async () => {
    const { stack, raw, episode } = await smallFamily()
    expect((await memoryOf(stack, episode)).provenance).toMatchObject({ derivedFrom: [raw] })
  })

  holds('P-12', 'from episodes to the belief they taught', async () => {
    const { me, stack } = await freshEntity()
    const refs: Ref[] = []
    for (const objective of ['first try', 'second try', 'third try']) {
      const lessons = ['Small steps are safer steps']
      refs.push((await me.episode({ objective, outcome: 'ok', lessons })).ref)
    }
    const { beliefsCreated } = await stack.promote()
    const [made] = beliefsCreated
    if (!made) throw new Error('nothing was promoted')
    expect((await memoryOf(stack, made)).provenance.derivedFrom).toEqual(refs)
  })
})

const BODIES: Readonly<Partial<Record<Kind, object>>> = {
  episode: { objective: 'try it', outcome: 'it went' },
  note: { content: 'something of note' },
  belief: { statement: 'Something that is believed' },
  goal: { title: 'something to do' },
  relationship: { entityName: 'Ann', relationshipType: 'colleague' },
  value: { name: 'order', statement: 'Doing things in order matters' },
  drive: { driveType: 'curiosity' },
}

async function sources() {
  const { me, stack } = await freshEntity()
  const raw = await me.raw('it was said')
  const episode = await me.episode({ objective: 'a', outcome: 'b', derivedFrom: [raw.ref] })
  const note = await me.note('noted', { derivedFrom: [raw.ref] })
  const belief = await me.belief('It is believed by some', { derivedFrom: [note.ref] })
  const refs = { raw: raw.ref, episode: episode.ref, note: note.ref, belief: belief.ref }
  const tell = (kind: Kind, derivedFrom: readonly Ref[]) =>
    stack.write({
      kind,
      body: BODIES[kind] as never, // the body of this kind, from the table above
      provenance: saying('ExternalFirstHand', { derivedFrom: [...derivedFrom] }),
    })
  return { refs: refs as Readonly<Partial<Record<Kind, Ref>>>, tell, me, stack }
}

describe('every memory except raw cites its sources', () => {
  /** At least one of `from`, and nothing else. */
  async function needs(kind: Kind, from: readonly Kind[], not: Kind): Promise<void> {
    const { refs, tell } = await sources()
    expect(await tell(kind, [])).toMatchObject({ rule: 'lineage', reasons: ['source_needed'] })
    const wrong = refs[not]
    if (!wrong) throw new Error(`there is no ${not}`)
    expect(await tell(kind, [wrong])).toMatchObject({ rule: 'lineage', reasons: ['parent_kind'] })
    for (const parent of from) {
      const ref = refs[parent]
      if (!ref) throw new Error(`there is no ${parent}`)
      const { ref: made, disposition } = await tell(kind, [ref])
      expect([made === null, disposition === 'Rejected']).toEqual([false, false])
    }
  }

  holds('P-26', 'an episode: raw', () => needs('episode', ['raw'], 'note'))
  holds('P-27', 'a note: raw', () => needs('note', ['raw'], 'episode'))
  holds('P-28', 'a belief: episode or note', () => needs('belief', ['episode', 'note'], 'raw'))
  holds('P-29', 'a goal: episode or belief', () => needs('goal', ['episode', 'belief'], 'raw'))
  holds('P-30', 'a relationship: episode', () => needs('relationship', ['episode'], 'note'))
  holds('P-31', 'a value: belief', () => needs('value', ['belief'], 'episode'))
  holds('P-32', 'a drive: episode or belief', () => needs('drive', ['episode', 'belief'], 'note'))

  holds('P-25', 'raw needs none', async () => {
    const { me } = await freshEntity()
    expect((await me.raw('just so')).ref).toMatch(/^raw:/)
  })

  holds('P-24', 'and this is so without anyone asking for it', async () => {
    const { stack, me } = await freshEntity()
    await expect(me.belief('Nothing stands behind this')).rejects.toMatchObject({ code: 'refused' })
    expect(await stack.getBeliefs()).toEqual([])
  })

  holds('P-36', 'enforcement can be switched off when a stack is opened', async () => {
    const { stack } = await freshStack({ enforceProvenance: false })
    const id = await stack.save('belief', { statement: 'Brought over from elsewhere' } as never) // no papers
    expect(await stack.getMemory('belief', id)).toMatchObject({ tier: 0 })
  })
})

describe('a stack’s states', () => {
  const seedBelief = saying('ExternalFirstHand', { sourceType: 'seed' })
  const body = { statement: 'Given at the beginning' }

  holds('P-33', 'INITIALIZING: seeds may lack sources, other writes may not', async () => {
    const { stack } = await freshStack()
    expect(stack.state).toBe('INITIALIZING')
    const other = saying('ExternalFirstHand')
    const seeded = await stack.write({ kind: 'belief', body, provenance: seedBelief })
    expect(seeded.disposition).toBe('CommittedCheap')
    expect(stack.state).toBe('INITIALIZING')
    const bare = await stack.write({
      kind: 'belief',
      body: { statement: 'Made up on the spot' },
      provenance: other,
    })
    expect(bare).toMatchObject({ rule: 'lineage', disposition: 'Rejected' })
  })

  holds('P-34', 'ACTIVE: seeds need sources like everything else', async () => {
    const { stack } = await freshEntity()
    expect(stack.state).toBe('ACTIVE')
    const late = await stack.write({ kind: 'belief', body, provenance: seedBelief })
    expect(late).toMatchObject({ rule: 'lineage', disposition: 'Rejected' })
  })

  holds('P-35', 'MAINTENANCE: nothing is written or changed', async () => {
    const { me, stack, belief } = await smallFamily()
    await stack.control.setState('MAINTENANCE')
    const refused = { code: 'maintenance_mode' }
    const id = belief.slice('belief:'.length)
    await expect(me.raw('now?')).rejects.toMatchObject(refused)
    await expect(stack.forgetMemory('belief', id, 'now?')).rejects.toMatchObject(refused)
    await expect(stack.recordAccess('belief', id)).rejects.toMatchObject(refused)
    await expect(stack.protectMemory('belief', id)).rejects.toMatchObject(refused)
    await expect(stack.updateMemoryMeta('belief', id, { tags: [] })).rejects.toMatchObject(refused)
    await expect(stack.changes.verify(belief, { evidence: [] })).rejects.toMatchObject(refused)
    await expect(stack.changes.supersede(belief, 'Another statement')).rejects.toMatchObject(
      refused,
    )
    await expect(
      stack.saveTrustAssessment({ entityId: 'ann', dimensions: {} }),
    ).rejects.toMatchObject(refused)
    await stack.control.setState('ACTIVE')
    expect((await me.raw('now')).ref).toMatch(/^raw:/)
  })
})

holds('P-45', 'provenance is recorded without the caller’s effort', async () => {
  const { me, stack } = await freshEntity()
  const note = await me.note('nothing was said about where this is from')
  const { provenance } = await memoryOf(stack, note.ref)
  expect(provenance).toMatchObject({
    sourceType: 'direct_experience',
    label: label.modelDerived(),
    llmModel: 'unknown:my-agent',
    sourceId: 'my-agent',
    ingestionPath: 'lib:note',
    derivedFrom: [expect.stringMatching(/^raw:/)],
    derivationDepth: null, // nobody vouches for its capture either, so no first-hand root is known
  })
})
