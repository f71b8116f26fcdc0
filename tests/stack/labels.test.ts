import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { splitRef, toRef } from '../../src/domain/ids.ts'
import { label, labelName } from '../../src/domain/labels.ts'
import type { Accepted } from '../../src/domain/write.ts'
import { freshEntity, freshStack } from './support.ts'

type Fresh = Awaited<ReturnType<typeof freshEntity>>

/** The label, actor, source type and tier of a memory, as a reader of the stack sees them. */
async function originOf({ stack }: Pick<Fresh, 'stack'>, { ref }: Pick<Accepted, 'ref'>) {
  const { kind, id } = splitRef(ref)
  const memory = await stack.getMemory(kind, id)
  if (!memory) throw new Error(`${ref} is missing`)
  const { provenance, tier } = memory
  return {
    label: labelName(provenance.label),
    actor: provenance.sourceId,
    sourceType: provenance.sourceType,
    model: provenance.llmModel,
    tier,
  }
}

const AGENT = { label: 'ModelDerived', actor: 'my-agent', model: 'unknown:my-agent', tier: 1 }
const HOST = { label: 'ExternalFirstHand', actor: 'my-agent', model: null, tier: 2 }
const ANN = { label: 'UserAsserted', actor: 'ann', model: null, tier: 3 }

/** Every kind that an Entity writes and that is not a raw capture. */
async function conclusions({ me }: Fresh, said: { observed?: boolean; saidBy?: string } = {}) {
  const raw = await me.raw('Deploy failed: migration 12 locked the table')
  const episode = await me.episode({ objective: 'deploy', outcome: 'failed', ...said })
  const from = { derivedFrom: [episode.ref], ...said }
  const belief = await me.belief('Migrations go first', from)
  return {
    episode,
    belief,
    note: await me.note('The table has forty million rows', said),
    claim: await me.claim({ subject: 'db', predicate: 'rows', value: 40 }, said),
    goal: await me.goal('Deploy twice a week', from),
    value: await me.value('care', 'We test before we ship', {
      derivedFrom: [belief.ref],
      ...said,
    }),
    drive: await me.drive('curiosity', from),
    relationship: await me.relationship({
      entityName: 'Bob',
      relationshipType: 'colleague',
      ...from,
    }),
    playbook: await me.playbook({ name: 'deploy', description: 'How we deploy', ...from }),
    summary: await me.summary({
      scope: 'month',
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: '2026-02-01T00:00:00.000Z',
      content: 'One deploy failed',
      covers: [episode.ref],
      ...from,
    }),
    narrative: await me.selfNarrative({ content: 'I deploy with care', ...from }),
    epoch: await me.epoch({
      epochNumber: 1,
      name: 'start',
      startedAt: '2026-01-01T00:00:00.000Z',
      ...said,
    }),
    checkpoint: await me.checkpoint({ task: 'mend the deploy' }, said),
    raw,
  }
}

describe('labels of what an Entity writes', () => {
  test('raw is the capture of the host, and every other kind is a conclusion of the agent', async () => {
    const fresh = await freshEntity()
    const { raw, ...others } = await conclusions(fresh)
    expect(await originOf(fresh, raw)).toEqual({ ...HOST, sourceType: 'direct_experience' })
    for (const [name, saved] of Object.entries(others)) {
      expect(await originOf(fresh, saved), name).toMatchObject(AGENT)
    }
    expect((await fresh.stack.ledger.audit()).problems).toEqual([])
  })

  test('observed: true says that the host saw it, saidBy that a person said it', async () => {
    const fresh = await freshEntity()
    const { raw: _, epoch: __, ...seen } = await conclusions(fresh, { observed: true })
    for (const [name, saved] of Object.entries(seen)) {
      const origin = await originOf(fresh, saved)
      expect(origin, name).toMatchObject({ label: 'ExternalFirstHand', actor: 'my-agent' })
      expect(origin.model, name).toBeNull()
    }
    const other = await freshEntity()
    const { raw: ___, epoch: ____, ...told } = await conclusions(other, { saidBy: 'ann' })
    for (const [name, saved] of Object.entries(told)) {
      expect(await originOf(other, saved), name).toMatchObject(ANN)
    }
  })

  test('a capture bears the label of the memory it is captured for', async () => {
    const fresh = await freshEntity()
    const { me, stack } = fresh
    const captureOf = async (saved: Accepted) => {
      const [ref] = (await stack.getMemory('note', saved.id))?.provenance.derivedFrom ?? []
      if (!ref) throw new Error('nothing was captured')
      return originOf(fresh, { ref })
    }
    expect(await captureOf(await me.note('It rains'))).toMatchObject(AGENT)
    expect(await captureOf(await me.note('It snows', { observed: true }))).toMatchObject(HOST)
    expect(await captureOf(await me.note('It thaws', { saidBy: 'ann' }))).toMatchObject(ANN)
  })

  test('the source type stays apart from the label', async () => {
    const fresh = await freshEntity()
    const { me } = fresh
    const typeOf = async (saved: Accepted) => (await originOf(fresh, saved)).sourceType
    const noted = await me.note('It rains')
    expect(await typeOf(noted)).toBe('direct_experience')
    expect(await typeOf(await me.note('It snows', { saidBy: 'ann' }))).toBe('external')
    expect(await typeOf(await me.belief('Rain is wet', { derivedFrom: [noted.ref] }))).toBe(
      'inference',
    )
    const page = { observed: true, sourceType: 'observation' } as const
    expect(await typeOf(await me.note('A page says that it thaws', page))).toBe('observation')
  })

  test('the model of the Entity is named where the memory is a model’s', async () => {
    const { stack } = await freshStack()
    const me = new Entity('m', { modelId: 'sonnet' })
    await me.attachStack(stack)
    expect(await originOf({ stack }, await me.note('It rains'))).toMatchObject({
      label: 'ModelDerived',
      model: 'sonnet',
      tier: 1,
    })
    const seen = await me.note('It snows', { observed: true })
    expect((await originOf({ stack }, seen)).model).toBeNull()
  })

  test('a raw that the host did not see itself is the agent’s', async () => {
    const fresh = await freshEntity()
    const raw = await fresh.me.raw('I think it rains', { observed: false })
    expect(await originOf(fresh, raw)).toMatchObject(AGENT)
  })

  test('options that contradict each other are refused, and nothing is written', async () => {
    const { me, stack } = await freshEntity()
    const refused = async (options: object, path: string) => {
      await expect(me.note('It rains', options), JSON.stringify(options)).rejects.toMatchObject({
        code: 'invalid_input',
        issues: [{ path }],
      })
    }
    await refused({ observed: true, saidBy: 'ann' }, 'observed')
    await refused({ observed: true, label: label.modelDerived() }, 'observed')
    await refused({ observed: true, label: label.userAsserted() }, 'observed')
    await refused({ observed: false, label: label.firstHand() }, 'observed')
    await refused({ saidBy: 'ann', label: label.modelDerived() }, 'saidBy')
    await refused({ saidBy: 'ann', label: label.firstHand() }, 'saidBy')
    await refused({ saidBy: 'ann', actor: 'bob' }, 'saidBy')
    await refused({ saidBy: ' ' }, 'saidBy')
    await refused({ saidBy: 7 }, 'saidBy')
    await refused({ observed: 'yes' }, 'observed')
    expect(await stack.getNotes()).toEqual([])
    await me.note('It rains', { observed: true, label: label.firstHand() })
    await me.note('It snows', { saidBy: 'ann', label: label.userAsserted(), actor: 'ann' })
    expect(await stack.getNotes()).toHaveLength(2)
  })

  test('another door gives its own labels, whatever the call says', async () => {
    const { me } = await freshEntity()
    const caller = {
      door: 'mcp',
      operation: 'note',
      person: false,
      grant: null,
      session: null,
      turn: null,
    } as const
    await expect(me.note('It rains', { observed: true, caller })).rejects.toMatchObject({
      code: 'scope',
    })
    await expect(me.note('It rains', { saidBy: 'ann', caller })).rejects.toMatchObject({
      code: 'scope',
    })
    expect((await me.note('It rains', { caller })).disposition).toBe('CommittedInferred')
  })
})

describe('labels of what a stack writes for the host', () => {
  async function believed(said: { observed?: boolean; saidBy?: string } = {}) {
    const fresh = await freshEntity()
    const raw = await fresh.me.raw('A deploy failed on a lock')
    const note = await fresh.me.note('Locks stop deploys', { derivedFrom: [raw.ref], ...said })
    const belief = await fresh.me.belief('Migrations go first', {
      derivedFrom: [note.ref],
      ...said,
    })
    return { ...fresh, belief }
  }

  test('a successor is a conclusion unless the call says otherwise', async () => {
    const fresh = await believed()
    const next = await fresh.stack.changes.supersede(
      fresh.belief.ref,
      'Blocking migrations go first',
    )
    expect(await originOf(fresh, next)).toMatchObject({ label: 'ModelDerived', tier: 1 })
    const seen = await fresh.stack.changes.supersede(next.ref, 'Every migration goes first', {
      observed: true,
    })
    expect(await originOf(fresh, seen)).toMatchObject({ label: 'ExternalFirstHand', model: null })
    const told = await fresh.stack.changes.supersede(seen.ref, 'Migrations wait for night', {
      saidBy: 'ann',
    })
    expect(await originOf(fresh, told)).toMatchObject({ label: 'UserAsserted', actor: 'ann' })
    await expect(
      fresh.stack.changes.supersede(told.ref, 'No', { saidBy: 'ann', observed: true }),
    ).rejects.toMatchObject({ code: 'invalid_input', issues: [{ path: 'observed' }] })
    expect((await fresh.stack.ledger.audit()).problems).toEqual([])
  })

  test('a conclusion in the place of first-hand words is a proposal', async () => {
    for (const said of [{ observed: true }, { saidBy: 'ann' }]) {
      const { stack, belief } = await believed(said)
      await expect(stack.changes.supersede(belief.ref, 'Deploys go first')).rejects.toMatchObject({
        facts: { reason: 'proposed' },
      })
      expect((await stack.review.list()).map(({ kind, ref }) => [kind, ref])).toEqual([
        ['proposal', belief.ref],
      ])
      expect((await stack.getMemory('belief', belief.id))?.disposition).not.toBe('Superseded')
      const next = await stack.changes.supersede(belief.ref, 'Deploys go first', said)
      expect(next.disposition).not.toBe('Rejected')
      expect((await stack.getMemory('belief', belief.id))?.disposition).toBe('Superseded')
    }
  })

  test('a revision by the host raises no label', async () => {
    const fresh = await freshEntity()
    const { me, stack } = fresh
    const drive = await me.drive('curiosity', { because: 'I like to look' })
    const raised = { id: drive.id, driveType: 'curiosity', intensity: 0.9 } as const
    expect(await stack.updateDriveAtomic(raised)).toBe(true)
    expect(await originOf(fresh, drive)).toMatchObject({ label: 'ModelDerived', tier: 1 })
    expect((await stack.getMemory('drive', drive.id))?.version).toBe(2)
    const seen = await me.drive('growth', { because: 'a survey', observed: true })
    const grown = { id: seen.id, driveType: 'growth', intensity: 0.9 } as const
    expect(await stack.updateDriveAtomic(grown)).toBe(true)
    expect(await originOf(fresh, seen)).toMatchObject({ label: 'ExternalFirstHand', tier: 2 })
    expect(await stack.updateDriveAtomic(raised, null, { saidBy: 'ann' })).toBe(true)
    expect(await originOf(fresh, drive)).toMatchObject({ label: 'UserAsserted', actor: 'ann' })
  })

  test('a narrative and a summary in words are conclusions unless the call says otherwise', async () => {
    const fresh = await freshEntity()
    const { me, stack } = fresh
    const episode = await me.episode({ objective: 'deploy', outcome: 'failed' })
    const derivedFrom = [episode.ref]
    const told = await stack.epochs.narrate({ content: 'I deploy with care' }, { derivedFrom })
    expect(await originOf(fresh, told)).toMatchObject({ label: 'ModelDerived', tier: 1 })
    const said = await stack.epochs.narrate(
      { content: 'She deploys with care' },
      { derivedFrom, saidBy: 'ann' },
    )
    expect(await originOf(fresh, said)).toMatchObject({ label: 'UserAsserted', actor: 'ann' })
    const month = {
      scope: 'month',
      periodStart: '2020-01-01T00:00:00.000Z',
      periodEnd: '2030-01-01T00:00:00.000Z',
    } as const
    const ours = await stack.epochs.summarise({ ...month, content: 'One deploy failed' })
    if (!ours) throw new Error('there was nothing to summarise')
    expect(await originOf(fresh, ours.summary)).toMatchObject({ label: 'ModelDerived' })
    const seen = await stack.epochs.summarise({ ...month, content: 'Deploys: 1', observed: true })
    if (!seen) throw new Error('there was nothing to summarise')
    expect(await originOf(fresh, seen.summary)).toMatchObject({ label: 'ExternalFirstHand' })
  })

  test('a claim by remember is a person’s word unless the call says otherwise', async () => {
    const { stack } = await freshEntity()
    const originOfClaim = async (predicate: string, said: object = {}) => {
      const { claimRef } = await stack.claims.remember('user', predicate, 'Berlin', said)
      if (claimRef === null) throw new Error('the claim was refused')
      return originOf({ stack }, { ref: claimRef })
    }
    const person = { label: 'UserAsserted', actor: 'test:user', tier: 3 }
    expect(await originOfClaim('city')).toMatchObject(person)
    expect(await originOfClaim('town', { saidBy: 'ann' })).toMatchObject(ANN)
    const seen = { label: 'ExternalFirstHand', actor: 'test:tool', tier: 2 }
    expect(await originOfClaim('home', { observed: true })).toMatchObject(seen)
    const thought = { label: 'ModelDerived', actor: 'test:model', tier: 1 }
    expect(await originOfClaim('place', { observed: false })).toMatchObject(thought)
    await expect(
      stack.claims.remember('user', 'flat', 'Berlin', { observed: true, saidBy: 'ann' }),
    ).rejects.toMatchObject({ code: 'invalid_input', issues: [{ path: 'observed' }] })
  })

  test('the host begins an epoch and assesses trust; the words at the end of an epoch are a model’s', async () => {
    const fresh = await freshEntity()
    const { me, stack } = fresh
    const host = { label: 'ExternalFirstHand', actor: 'test:host', tier: 2 }
    const epoch = await stack.epochs.begin('the first')
    expect(await originOf(fresh, epoch)).toMatchObject(host)
    const id = await stack.saveTrustAssessment({ entityId: 'bob', dimensions: {} })
    expect(await originOf(fresh, { ref: toRef('assessment', id) })).toMatchObject(host)
    await me.note('It rains')
    const { summary } = await stack.epochs.end({ summary: 'It rained' })
    if (!summary) throw new Error('there was nothing to summarise')
    expect(await originOf(fresh, summary.summary)).toMatchObject({ label: 'ModelDerived', tier: 1 })
    await stack.epochs.begin('the second')
    await me.note('It snows')
    const told = await stack.epochs.end({ summary: 'It snowed', saidBy: 'ann' })
    if (!told.summary) throw new Error('there was nothing to summarise')
    expect(await originOf(fresh, told.summary.summary)).toMatchObject({
      label: 'UserAsserted',
      actor: 'ann',
    })
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('a use that the host counts leaves a model’s playbook a model’s', async () => {
    const fresh = await freshEntity()
    const { me, stack } = fresh
    const words = { name: 'deploy', description: 'How we deploy', because: 'it worked twice' }
    const own = await me.playbook(words)
    expect((await stack.epochs.usePlaybook(own.ref, { hasSucceeded: true })).body.timesUsed).toBe(1)
    expect(await originOf(fresh, own)).toMatchObject({ label: 'ModelDerived', tier: 1 })
    const seen = await me.playbook({ ...words, name: 'restore', observed: true })
    expect((await stack.epochs.usePlaybook(seen.ref, { hasSucceeded: true })).body.timesUsed).toBe(
      1,
    )
    expect(await originOf(fresh, seen)).toMatchObject({ label: 'ExternalFirstHand', tier: 2 })
  })
})

describe('labels of what a plugin writes', () => {
  test('a plugin of tier 2 hands in captures, and what it concludes is a model’s', async () => {
    const fresh = await freshEntity()
    const saved: Record<string, Accepted> = {}
    await fresh.me.addPlugin(
      {
        name: 'weather',
        version: '1',
        activate: async ({ write }) => {
          saved.raw = await write('raw', { content: '12 mm of rain' })
          saved.note = await write('note', { content: 'It rains a lot' })
          saved.seen = await write('note', { content: 'It rained' }, { observed: true })
        },
      },
      { tier: 2 },
    )
    const { raw, note, seen } = saved
    if (!raw || !note || !seen) throw new Error('the plugin did not write')
    expect(await originOf(fresh, raw)).toMatchObject({ label: 'ExternalFirstHand', tier: 2 })
    expect(await originOf(fresh, note)).toMatchObject({ label: 'ModelDerived', tier: 1 })
    expect(await originOf(fresh, seen)).toMatchObject({ label: 'ExternalFirstHand', tier: 2 })
  })

  test('a plugin of tier 1 cannot say that it saw something', async () => {
    const { me } = await freshEntity()
    await expect(
      me.addPlugin({
        name: 'liar',
        version: '1',
        activate: async ({ write }) => {
          await write('note', { content: 'I saw it' }, { observed: true })
        },
      }),
    ).rejects.toMatchObject({ code: 'scope' })
  })
})
