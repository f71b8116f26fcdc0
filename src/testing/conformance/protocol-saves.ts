import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { ProvenanceError, RefusedError, VersionConflictError } from '../../domain/errors.ts'
import { isMemoryId } from '../../domain/ids.ts'
import { type Case, holds } from '../manifest/case.ts'
import { errorOf } from './compare.ts'
import { idOf, type StackGiven, type StackHand } from './protocol-given.ts'
import type { SavedKind } from './protocol-samples.ts'

type SaverName =
  | 'saveEpisode'
  | 'saveBelief'
  | 'saveValue'
  | 'saveGoal'
  | 'saveNote'
  | 'saveDrive'
  | 'saveRelationship'
  | 'saveRaw'
  | 'savePlaybook'
  | 'saveEpoch'
  | 'saveSummary'
  | 'saveSelfNarrative'
  | 'saveSuggestion'

/** The returned id is the memory's id, given or made; provenance must be complete. */
const saves =
  (saver: SaverName, kind: SavedKind) =>
  async (given: StackGiven): Promise<void> => {
    const hand = await given.open()
    const save = hand.stack[saver] as (record: unknown) => Promise<string> // of the kind beside it
    const record = await hand.record(kind)
    const id = await save(record)
    ok(isMemoryId(id), 'an id')
    const memory = await hand.stack.getMemory(kind, id)
    strictEqual(memory?.id, id)
    strictEqual(memory.kind, kind)
    const { provenance: papers, ...body } = record
    for (const [name, value] of Object.entries(body)) {
      deepStrictEqual((memory.body as Record<string, unknown>)[name], value, name) // as parsed
    }
    strictEqual(memory.provenance.contentHash, papers.contentHash)
    strictEqual(memory.strength, 1)
    const named = { ...(await hand.record(kind)), id: '01980000-0000-7000-8000-00000000abcd' }
    strictEqual(await save(named), named.id, 'an id that was given is kept')
    strictEqual(await save(named), named.id, 'and saved again it is the same')
    const before = await hand.stack.getStats()
    const error = await errorOf(() => save(body), 'without papers')
    ok(error instanceof ProvenanceError)
    deepStrictEqual(await hand.stack.getStats(), before, 'nothing was stored')
  }

export const saveCases: readonly Case<StackGiven>[] = [
  holds('S-04', 'saveEpisode gives the id', saves('saveEpisode', 'episode')),
  holds('S-05', 'saveBelief gives the id', saves('saveBelief', 'belief')),
  holds('S-06', 'saveValue gives the id', saves('saveValue', 'value')),
  holds('S-07', 'saveGoal gives the id', saves('saveGoal', 'goal')),
  holds('S-08', 'saveNote gives the id', saves('saveNote', 'note')),
  holds('S-09', 'saveDrive gives the id', saves('saveDrive', 'drive')),
  holds('S-10', 'saveRelationship gives the id', saves('saveRelationship', 'relationship')),
  holds('S-11', 'saveRaw gives the id', saves('saveRaw', 'raw')),
  holds('S-12', 'savePlaybook gives the id', saves('savePlaybook', 'playbook')),
  holds('S-13', 'saveEpoch gives the id', saves('saveEpoch', 'epoch')),
  holds('S-14', 'saveSummary gives the id', saves('saveSummary', 'summary')),
  holds('S-15', 'saveSelfNarrative gives the id', saves('saveSelfNarrative', 'self_narrative')),
  holds('S-16', 'saveSuggestion gives the id', saves('saveSuggestion', 'suggestion')),

  holds(
    'S-24',
    'a batch gives one id for each item, in order, or nothing at all',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      const savers = [
        ['episode', stack.saveEpisodesBatch],
        ['belief', stack.saveBeliefsBatch],
        ['note', stack.saveNotesBatch],
      ] as const
      for (const [kind, saveBatch] of savers) {
        const save = saveBatch as (records: readonly unknown[]) => Promise<readonly string[]> // of it
        const records = [await hand.record(kind), await hand.record(kind), await hand.record(kind)]
        const ids = await save(records)
        strictEqual(new Set(ids).size, 3, kind)
        for (const [index, id] of ids.entries()) {
          const memory = await stack.getMemory(kind, id)
          strictEqual(memory?.provenance.contentHash, records[index]?.provenance.contentHash)
        }
        const before = await stack.getStats()
        const stranger = 'raw:01980000-0000-7000-8000-0000000000ff' as const
        const lost = await hand.record(kind, {}, { derivedFrom: [stranger as never] }) // a ref of nothing
        const error = await errorOf(async () => save([await hand.record(kind), lost]), kind)
        strictEqual(error.code, 'refused')
        deepStrictEqual(await stack.getStats(), before, 'all or nothing')
        deepStrictEqual(await save([]), [], 'nothing is a batch too')
      }
    },
  ),

  holds('S-36', 'a new memory has strength 1, of whatever kind', async (given) => {
    const hand = await given.open()
    for (const kind of ['raw', 'episode', 'note', 'belief', 'goal', 'value', 'drive'] as const) {
      const memory = await hand.stack.getMemory(kind, await hand.id(kind))
      strictEqual(memory?.strength, 1, kind)
      strictEqual(memory.strengthTier, 'strong')
    }
  }),

  holds(
    'S-63',
    'provenance is enforced unless the stack is opened with that off',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      await hand.make('raw')
      const unsourced = await hand.record('belief', {}, { derivedFrom: [] })
      ok((await errorOf(() => stack.saveBelief(unsourced), 'unsourced')) instanceof ProvenanceError)
      const noise = await hand.record('belief', { statement: 'TODO' })
      const refusal = await errorOf(() => stack.saveBelief(noise), 'noise')
      ok(refusal instanceof RefusedError && !(refusal instanceof ProvenanceError))
      const lax = await given.open({ enforceProvenance: false })
      const bare = { statement: 'It came from the old notebook' } as never // without provenance
      const memory = await lax.stack.getMemory('belief', await lax.stack.saveBelief(bare))
      strictEqual(memory?.tier, 0, 'what would have been refused has no tier')
      ok(memory.provenance.ingestionPath.startsWith('migration:'))
    },
  ),
]

/**
 * Both kinds are revised alike; `change` is the new body, and `old` and `now` read the changed
 * member.
 */
async function updates(
  hand: StackHand,
  kind: 'drive' | 'relationship',
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { stack } = hand
  const update = (record: object, expected?: number | null) =>
    kind === 'drive'
      ? stack.updateDriveAtomic(record as never, expected)
      : stack.updateRelationshipAtomic(record as never, expected)
  const ref = await hand.make(kind)
  const id = idOf(ref)
  const read = async () => {
    const memory = await stack.getMemory(kind, id)
    ok(memory)
    return memory
  }
  const born = await read()
  const next = { ...born.body, ...change, id }
  strictEqual(await update(next), true, 'without a version')
  const second = await read()
  strictEqual(second.version, 2)
  for (const [name, value] of Object.entries(change)) {
    strictEqual((second.body as Record<string, unknown>)[name], value) // the same kind
  }
  notStrictEqual(second.provenance.contentHash, born.provenance.contentHash)
  deepStrictEqual(second.provenance.derivedFrom, born.provenance.derivedFrom, 'its sources stay')
  strictEqual(await update({ ...born.body, id }, 2), true, 'with the version that is there')
  const error = await errorOf(() => update(next, 2), 'a stale version')
  ok(error instanceof VersionConflictError)
  deepStrictEqual(error.facts, { ref, expected: 2, actual: 3 })
  strictEqual((await read()).version, 3, 'and nothing was written')
  const gone = '01980000-0000-7000-8000-0000000000ff'
  strictEqual(await update({ ...next, id: gone }), false, 'what is gone')
  strictEqual(await update({ ...next, id: gone }, 7), false, 'whatever version was expected')
}

export const updateCases: readonly Case<StackGiven>[] = [
  holds('S-17', 'a drive is updated, found gone, or in conflict', async (given) => {
    await updates(await given.open(), 'drive', { intensity: 0.9 })
  }),

  holds('S-18', 'a relationship is updated, found gone, or in conflict', async (given) => {
    await updates(await given.open(), 'relationship', { sentiment: 0.5, notes: 'reliable' })
  }),

  holds('S-18', 'trust, type and notes that changed are remembered', async (given) => {
    const hand = await given.open()
    const id = await hand.id('relationship', { entityName: 'Kim', sentiment: 0 })
    const body = { id, entityName: 'Kim', relationshipType: 'acquaintance' }
    const { stack } = hand
    await stack.updateRelationshipAtomic({ ...body, sentiment: 0.5 })
    await stack.updateRelationshipAtomic({ ...body, relationshipType: 'friend', sentiment: 0.5 })
    await stack.updateRelationshipAtomic({
      ...body,
      relationshipType: 'friend',
      sentiment: 0.5,
      notes: 'keeps promises',
      interactionCount: 1,
    })
    const history = await stack.history.relationship(`relationship:${id}`)
    deepStrictEqual(
      history.map((event) => [event.eventType, event.old, event.new, event.version]),
      [
        ['trust_change', 0.5, 0.75, 2],
        ['type_change', 'acquaintance', 'friend', 3],
        ['note', null, 'keeps promises', 4],
        ['interaction', 0, 1, 4],
      ],
    )
  }),

  holds('S-17', 'a revision loses nothing that befell the drive before', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const id = await hand.id('drive', { driveType: 'growth', tags: ['early'] })
    await stack.updateMemoryMeta('drive', id, { confidence: 0.3, tags: ['late'] })
    await stack.recordAccess('drive', id)
    const before = await stack.getMemory('drive', id)
    await stack.updateDriveAtomic({ id, driveType: 'growth', intensity: 1 })
    const after = await stack.getMemory('drive', id)
    ok(before && after)
    strictEqual(after.confidence, 0.3, 'confidence that was lowered stays low')
    deepStrictEqual(after.tags, ['late'])
    strictEqual(after.accessCount, 1)
    strictEqual(after.strength, before.strength)
    strictEqual(after.isProtected, true)
    strictEqual(after.createdAt, before.createdAt)
  }),
]
