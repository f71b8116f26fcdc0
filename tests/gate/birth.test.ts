import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry, SealedRow } from '../../src/domain/entry.ts'
import { MunimentError, ProvenanceError } from '../../src/domain/errors.ts'
import { label } from '../../src/domain/labels.ts'
import { PROVENANCE_FIELDS, type RoutedPayload } from '../../src/domain/provenance.ts'
import { toInstant } from '../../src/domain/time.ts'
import { readEntry } from '../../src/ledger/ledger.ts'
import { holds } from '../support/holds.ts'
import { histories } from './histories.ts'
import { openForTest, type Played, STACK_ID, take } from './production.ts'
import { runs } from './runs.ts'
import { Scene, USER } from './scene.ts'
import { snapshot } from './snapshot.ts'

/** What a valid value of each field is, in the words of the design. */
const VALID: Readonly<Record<string, (value: unknown) => boolean>> = {
  sourceType: (v) =>
    /^(direct_experience|inference|consolidation|external|seed|observation)$/.test(String(v)),
  label: (v) => LABELS.includes(JSON.stringify(v)),
  sourceId: isShown,
  sourceEntity: isTextOrNull,
  ingestionPath: isShown,
  timestamp: isTime,
  eventTime: (v) => v === null || isTime(v),
  session: isTextOrNull,
  turn: isTextOrNull,
  relayed: (v) => typeof v === 'boolean',
  captured: (v) => typeof v === 'boolean',
  quote: (v) => v === null,
  document: isTextOrNull,
  confidence: (v) => typeof v === 'number' && v >= 0 && v <= 1,
  contentHash: isHex,
  policyHash: isHex,
  trustTier: (v) => [0, 1, 2, 3].includes(v as number),
  llmModel: isTextOrNull,
  derivedFrom: areRefs,
  sourceEpisodes: areRefs,
  depthNearest: isDepth,
  depthFarthest: isDepth,
}

const LABELS = [
  '{"kind":"UserAsserted","type":"External"}',
  '{"kind":"ExternalFirstHand","type":"External"}',
  '{"type":"RecallReEntry"}',
  '{"type":"ModelDerived"}',
]

function isShown(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
function isTime(value: unknown): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value))
}
function isHex(value: unknown): boolean {
  return /^[0-9a-f]{64}$/.test(String(value))
}
function areRefs(value: unknown): boolean {
  return Array.isArray(value) && value.every((ref) => /^[a-z_]+:[0-9a-f-]{36}$/.test(String(ref)))
}
function isDepth(value: unknown): boolean {
  return value === null || (Number.isInteger(value) && Number(value) >= 0)
}

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** Everything wrong with the certificate of one sealed row, named. */
function faultsOf(row: SealedRow, { time, tier, policy }: Entry): readonly string[] {
  const { body, provenance } = JSON.parse(new TextDecoder().decode(row.bytes))
  const faults = Object.keys(VALID).filter((field) => !VALID[field]?.(provenance[field]))
  if (provenance.contentHash !== sha256(canonicalize(body) ?? '')) faults.push('contentHash is not')
  if (provenance.timestamp !== time) faults.push('timestamp is not the time of the entry')
  if (provenance.trustTier !== tier) faults.push('trustTier is not the tier of the entry')
  if (provenance.policyHash !== policy) faults.push('policyHash is not the policy of the entry')
  const isModel = provenance.label.type === 'ModelDerived'
  if (isModel !== (provenance.llmModel !== null)) faults.push('llmModel does not fit the label')
  return faults
}

const entriesOf = ({ store }: Played): readonly Entry[] =>
  store.rows(STACK_ID).entries.map(({ bytes }) => readEntry(bytes))

describe('a birth certificate', () => {
  test('has exactly the fields of the design', () => {
    expect([...PROVENANCE_FIELDS].sort()).toEqual(Object.keys(VALID).sort())
  })

  holds(
    'PROV-BIRTH',
    'of every memory ever written is complete and true from its first entry on',
    async () => {
      await fc.assert(
        fc.asyncProperty(histories(), async ({ genesis, steps }) => {
          const played = await openForTest({ genesis })
          for (const step of steps) await take(played, step)
          const rows = played.store.rows(STACK_ID)
          const sealing = entriesOf(played).filter(({ commitment }) => commitment !== null)
          expect([...rows.sealed.keys()]).toEqual(sealing.map(({ seq }) => seq))
          // A proposal seals the fields that a person is asked about, and no memory.
          for (const entry of sealing.filter(({ op }) => op !== 'memory.proposed')) {
            const row = rows.sealed.get(entry.seq)
            if (!row) throw new Error(`entry ${entry.seq} seals nothing`)
            const { provenance } = JSON.parse(new TextDecoder().decode(row.bytes))
            const { revisedFrom, ...members } = provenance
            expect(Object.keys(members).sort()).toEqual(Object.keys(VALID).sort())
            if (revisedFrom !== undefined) expect(entry.op).toBe('memory.revised')
            expect(faultsOf(row, entry), `entry ${entry.seq}`).toEqual([])
          }
          const born = sealing
            .filter(({ op, revision }) => op !== 'memory.proposed' && revision === 1)
            .map(({ ref }) => ref)
          expect([...rows.memories.keys()].sort()).toEqual(born.sort())
        }),
        runs(80),
      )
    },
  )

  holds(
    'PROV-BIRTH',
    'that misses a field or has a bad one is refused, with every such field named',
    async () => {
      const { stack, store } = await openForTest()
      const body = { content: 'The table was locked' }
      const whole = {
        ...(await stack.control.certify('raw', body)),
        sourceType: 'direct_experience',
        label: label.firstHand(),
        sourceId: 'ann',
        ingestionPath: 'lib:save_raw',
        confidence: 1,
        trustTier: 2,
        llmModel: null,
      } as const
      const bad = { ...BAD, sourceEntity: 7, relayed: 'yes', eventTime: 'noon', document: 1 }
      for (const field of Object.keys(whole)) {
        const missing: Record<string, unknown> = { ...whole }
        delete missing[field]
        expect(
          await fieldsRefused(stack.saveRaw({ ...body, provenance: missing } as never)),
        ).toEqual([`provenance.${field}`])
      }
      for (const [field, value] of Object.entries(bad)) {
        const provenance = { ...whole, [field]: value }
        expect(await fieldsRefused(stack.saveRaw({ ...body, provenance } as never))).toEqual([
          `provenance.${field}`,
        ])
      }
      const all = await fieldsRefused(stack.saveRaw({ ...body, provenance: bad } as never))
      expect(all).toEqual(
        Object.keys(bad)
          .map((field) => `provenance.${field}`)
          .sort(),
      )
      expect(await fieldsRefused(stack.saveRaw(body as never))).toEqual(['provenance'])
      expect(store.rows(STACK_ID).entries).toEqual([])
      expect(await stack.saveRaw({ ...body, provenance: whole })).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})

const BAD = {
  sourceType: 'hearsay',
  label: { type: 'External', kind: 'UserAsserted', note: 'extra' },
  sourceId: '  ',
  ingestionPath: '',
  confidence: 1.01,
  contentHash: 'A'.repeat(64),
  policyHash: 'abc',
  trustTier: 4,
  llmModel: '',
}

async function fieldsRefused(saving: Promise<unknown>): Promise<readonly string[]> {
  try {
    await saving
  } catch (error) {
    if (!(error instanceof MunimentError)) throw error
    expect(error).toBeInstanceOf(ProvenanceError)
    return [...new Set(error.issues.map(({ path }) => path))].sort()
  }
  throw new Error('it was taken')
}

describe('what the caller says', () => {
  holds(
    'PROV-BIRTH',
    'stands in the certificate word for word, beside what the engine found',
    async () => {
      const { stack } = await openForTest()
      const said = {
        sourceType: 'external',
        label: label.userAsserted(),
        sourceId: 'ann',
        sourceEntity: 'the doctor',
        ingestionPath: 'hook:prompt',
        eventTime: toInstant(Date.UTC(2025, 11, 24, 18)),
        relayed: true,
        document: 'letter 7',
        confidence: 0.25,
        llmModel: null,
      } as const
      const raw = await stack.write({ kind: 'raw', body: { content: 'x' }, provenance: said })
      const caller = {
        door: 'hook',
        operation: 'prompt',
        person: true,
        grant: null,
        session: 'session 3',
        turn: 'turn 9',
      } as const
      const refs = [raw.ref ?? '']
      const provenance = { ...said, derivedFrom: refs, sourceEpisodes: refs } as RoutedPayload
      const body = { content: 'The dose was halved' }
      const note = await stack.write({ kind: 'note', body, provenance }, caller)
      const memory = await stack.getMemory('note', note.id ?? '')
      expect(memory?.provenance).toEqual({
        ...said,
        derivedFrom: refs,
        sourceEpisodes: refs,
        session: 'session 3',
        turn: 'turn 9',
        captured: false,
        quote: null,
        timestamp: memory?.createdAt,
        contentHash: (await stack.control.certify('note', body)).contentHash,
        policyHash: (await stack.control.certify('note', body)).policyHash,
        trustTier: 3,
        depthNearest: 0,
        depthFarthest: 0,
        source: 'user_input',
        parentId: raw.id,
        derivationDepth: 0,
      })
    },
  )

  holds(
    'PROV-BIRTH',
    'of a capture is its draft’s own, marked as captured, without its evidence',
    async () => {
      const scene = await Scene.open()
      const raw = await scene.ref({ kind: 'raw' })
      const told = { kind: 'claim', ...USER, sourceType: 'inference', evidence: [raw] } as const
      const { captures } = await scene.tell({ ...told, captures: ['raw'], document: 'letter' })
      const captured = await scene.stack.getMemory('raw', captures[0]?.slice(4) ?? '')
      expect(captured?.provenance).toMatchObject({
        captured: true,
        label: label.userAsserted(),
        sourceType: 'direct_experience',
        sourceId: 'ann',
        document: 'letter',
        sourceEpisodes: [],
        derivedFrom: [],
        trustTier: 3,
      })
    },
  )
})

describe('what was written', () => {
  holds('PROV-FIXED', 'stays as it is, byte for byte, whatever comes later', async () => {
    await fc.assert(
      fc.asyncProperty(histories(), async ({ genesis, steps }) => {
        const played = await openForTest({ genesis })
        let before = snapshot(played.store)
        for (const step of steps) {
          await take(played, step)
          const after = snapshot(played.store)
          for (const part of ['entries', 'sealed', 'actorKeys', 'tombstones'] as const) {
            const lost = before[part].filter((row) => !after[part].includes(row))
            expect(lost, `${part} that ${step.type} changed`).toEqual([])
          }
          expect(after.entries.slice(0, before.entries.length)).toEqual(before.entries)
          before = after
        }
      }),
      runs(60),
    )
  })

  holds('PROV-FIXED', 'is what a reader gets, however it was read before', async () => {
    const { stack } = await openForTest()
    const body = { content: 'Said once' }
    const payload = {
      ...(await stack.control.certify('raw', body)),
      sourceType: 'direct_experience',
      label: label.firstHand(),
      sourceId: 'ann',
      ingestionPath: 'lib:save_raw',
      confidence: 1,
      trustTier: 2,
      llmModel: null,
    } as const
    const id = await stack.saveRaw({ ...body, provenance: payload })
    const first = await stack.getMemory('raw', id)
    Object.assign(first?.provenance ?? {}, { sourceId: 'mallory', trustTier: 3 })
    Object.assign(first?.body ?? {}, { content: 'Never said' })
    const second = await stack.getMemory('raw', id)
    expect(second).toMatchObject({ body, provenance: { sourceId: 'ann', trustTier: 2 } })
  })

  test('is a copy of what the caller gave, not the caller’s own object', async () => {
    const { stack } = await openForTest()
    const body = { content: 'As it was given' }
    const provenance = {
      sourceType: 'direct_experience' as const,
      label: label.firstHand(),
      sourceId: 'ann',
      ingestionPath: 'lib:write',
      confidence: 1,
      llmModel: null,
    }
    const writing = stack.write({ kind: 'raw', body, provenance })
    body.content = 'changed while it waited'
    provenance.sourceId = 'mallory'
    const { id } = await writing
    expect(await stack.getMemory('raw', id ?? '')).toMatchObject({
      body: { content: 'As it was given' },
      provenance: { sourceId: 'ann' },
    })
  })
})
