import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { label } from '../../src/domain/labels.ts'
import type { ProvenancePayload } from '../../src/domain/provenance.ts'
import type { Stack } from '../../src/stack.ts'
import { scratch } from '../cli/support/scratch.ts'
import { entriesOf, freshEntity, freshStack, papersFor } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

const LINES = ['a\nb', 'a\r\nb', 'a\u000bb', 'a\u000cb', 'a\u0085b', 'a\u2028b', 'a\u2029b']

const CONTENT = { content: 'the train leaves at nine' }

/** Saves a raw whose papers have one thing changed, or taken out where it is undefined. */
async function saving(stack: Stack, change: Readonly<Record<string, unknown>> = {}) {
  const whole = await papersFor(stack, 'raw', CONTENT)
  const changed = Object.fromEntries(
    Object.entries({ ...whole, ...change }).filter(([, value]) => value !== undefined),
  )
  return stack.saveRaw({ ...CONTENT, provenance: changed as ProvenancePayload }) // as given
}

/** Refused, with the field named, and nothing written. */
async function refuses(field: string, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    const { stack, store } = await freshStack()
    const error = await saving(stack, { [field]: value }).catch((cause: unknown) => cause)
    expect(error, `${field} = ${String(value)}`).toBeInstanceOf(MunimentError)
    const paths = (error as MunimentError).issues.map(({ path }) => path)
    expect(
      paths.some((path) => path.endsWith(field)),
      `${field} = ${String(value)}`,
    ).toBe(true)
    expect(entriesOf(store, stack)).toEqual([])
  }
}

describe('a payload', () => {
  holds('L-01', 'names its source, out of a closed list', async () => {
    await refuses('source', ['tool', 'USER_INPUT', '', 7])
    await refuses('sourceType', [undefined, null, 'hearsay', ''])
    const { stack } = await freshStack()
    const id = await saving(stack, { source: 'retrieved' })
    expect((await stack.getMemory('raw', id))?.provenance.source).toBe('retrieved')
  })

  holds('L-02', 'has a confidence from 0 to 1', async () => {
    await refuses('confidence', [undefined, null, -0.1, 1.1, Number.NaN, Infinity, '0.5', true])
  })

  holds(
    'L-03',
    'is dated by the engine, whatever is claimed; a claimed time must be one',
    async () => {
      await refuses('timestamp', ['yesterday', 7, '2999-01-01T00:00:00.000Z'])
      const { stack } = await freshStack()
      const id = await saving(stack)
      expect((await stack.getMemory('raw', id))?.provenance.timestamp).toBe(
        '2026-01-01T00:00:00.000Z',
      )
    },
  )

  holds('L-04', 'has a source id that is not empty', () =>
    refuses('sourceId', [undefined, null, '', '  ', 7, ...LINES]),
  )

  holds('L-05', 'has an ingestion path that is not empty', () =>
    refuses('ingestionPath', [undefined, null, '', '\t', {}, ...LINES]),
  )

  test('has names of one line each, so that none of them forges the line below it', async () => {
    for (const field of ['session', 'turn', 'llmModel']) await refuses(field, LINES)
    const { stack } = await freshStack()
    const id = await saving(stack, { session: 'one\u0000line', turn: 'a\tb' }) // quoted where shown
    expect((await stack.getMemory('raw', id))?.provenance.session).toBe('one\u0000line')
  })

  holds('L-06', 'has the hash of the stored content, in lower-case hex', () =>
    refuses('contentHash', [undefined, null, 'A'.repeat(64), 'a'.repeat(63), '0'.repeat(64)]),
  )

  holds('L-07', 'has the hash of the policy in force', () =>
    refuses('policyHash', [undefined, null, 'F'.repeat(64), '0'.repeat(64), 'none']),
  )

  holds('L-08', 'has a trust tier: 0, 1, 2 or 3', () =>
    refuses('trustTier', [undefined, null, -1, 4, 1.5, '2', true]),
  )

  holds('L-09', 'names the model when one made it, and null when none did', async () => {
    await refuses('llmModel', [undefined, 'a-model', ''])
    const { stack } = await freshStack()
    const papers = { label: label.modelDerived(), sourceType: 'inference', trustTier: 1 }
    const id = await saving(stack, { ...papers, llmModel: 'a-model' })
    expect((await stack.getMemory('raw', id))?.provenance.llmModel).toBe('a-model')
    await expect(saving(stack, { ...papers, llmModel: null })).rejects.toMatchObject({
      code: 'invalid_provenance',
    })
  })

  holds('L-10', 'may name its parent, which ties it to where it came from', async () => {
    const { me, stack } = await freshEntity()
    const raw = await me.raw('it was said')
    const body = { content: 'noted' }
    const papers = await papersFor(stack, 'note', body, { derivedFrom: [raw.ref] })
    const provenance = { ...papers, parentId: raw.id }
    const id = await stack.saveNote({ ...body, provenance })
    expect((await stack.getMemory('note', id))?.provenance.parentId).toBe(raw.id)
    const other = { ...papers, parentId: '00000000-0000-7000-8000-000000000000' }
    await expect(stack.saveNote({ content: 'more', provenance: other })).rejects.toMatchObject({
      code: 'invalid_provenance',
    })
  })

  holds('L-11', 'is checked whole: every bad field is named at once', async () => {
    const { stack } = await freshStack()
    const bad = { confidence: 7, sourceId: '', trustTier: 9, contentHash: 'x', ingestionPath: '' }
    const error = (await saving(stack, bad).catch((cause: unknown) => cause)) as MunimentError
    const paths = error.issues.map(({ path }) => path.split('.').at(-1))
    expect(paths).toEqual(expect.arrayContaining(Object.keys(bad)))
  })

  holds('L-12', 'or a write does not get in, at any of the low-level methods', async () => {
    const { stack, store } = await freshStack()
    const nothing = { provenance: undefined as never } // what a caller in JavaScript may leave out
    for (const write of [
      () => stack.saveRaw({ content: 'x', ...nothing }),
      () => stack.saveNote({ content: 'x', ...nothing }),
      () => stack.saveBelief({ statement: 'Nothing stands behind it', ...nothing }),
      () => stack.saveNotesBatch([{ content: 'x', ...nothing }]),
    ]) {
      await expect(write()).rejects.toMatchObject({ code: 'invalid_provenance' })
    }
    expect(entriesOf(store, stack)).toEqual([])
  })

  holds(
    'L-13',
    'has both hashes compared when it comes in, and the content again when audited',
    async () => {
      const { stack, store } = await freshStack()
      const id = await saving(stack)
      const certified = await stack.control.certify('raw', CONTENT)
      expect((await stack.getMemory('raw', id))?.provenance).toMatchObject(certified)
      const sealed = [...store.rows(stack.stackId).sealed.values()][0]
      if (!sealed) throw new Error('nothing is sealed')
      const text = new TextDecoder().decode(sealed.bytes).replace('nine', 'five')
      store
        .rows(stack.stackId)
        .sealed.set(sealed.seq, { ...sealed, bytes: new TextEncoder().encode(text) })
      expect((await stack.ledger.audit()).problems[0]).toMatchObject({
        code: 'commitment.mismatch',
      })
    },
  )
})

describe('the ledger', () => {
  holds('L-14', 'in memory is a chain of hashes that every write adds to', async () => {
    const { me, stack, store } = await freshEntity()
    for (const word of ['one', 'two', 'three']) await me.raw(word)
    const rows = store.rows(stack.stackId).entries
    for (const [index, row] of rows.entries()) {
      expect(row.prevHash).toBe(index === 0 ? '0'.repeat(64) : rows[index - 1]?.hash)
    }
    expect(rows.length).toBeGreaterThan(5)
  })

  holds(
    'L-15',
    'in SQLite is the table provenance_log, with prev_hash and entry_hash',
    async () => {
      const path = `${scratch()}/stack.db`
      const stack = await openStack('demo', { path, home: scratch() })
      await saving(stack)
      await stack.close()
      const db = new DatabaseSync(path, { readOnly: true })
      const rows = db
        .prepare(
          'SELECT hex(prev_hash) AS prev, hex(entry_hash) AS own FROM provenance_log ORDER BY seq',
        )
        .all()
        .map(({ prev, own }) => ({ prev: String(prev), own: String(own) }))
      db.close()
      expect(rows.length).toBeGreaterThan(2)
      for (const [index, { prev }] of rows.entries()) {
        expect(prev).toBe(index === 0 ? '0'.repeat(64) : rows[index - 1]?.own)
      }
    },
  )

  holds(
    'L-16',
    'gives memories back with their provenance, and readers can ask for a least tier',
    async () => {
      const { me, stack } = await freshEntity()
      await me.note('told by a person', { label: label.userAsserted() })
      await me.note('said by a model', { label: label.modelDerived() })
      const all = await stack.getNotes()
      expect(all.map(({ provenance }) => provenance.trustTier).sort()).toEqual([1, 3])
      expect(await stack.getNotes({ minTier: 2 })).toHaveLength(1)
      expect(await stack.search('person model', { minTier: 3 })).toHaveLength(1)
    },
  )

  holds('L-16', 'a least tier lets in that tier and those above it, and no other', async () => {
    const { me, stack } = await freshEntity()
    const said = [label.modelDerived(), label.firstHand(), label.userAsserted()]
    const [one, two, three] = await Promise.all(
      said.map((each, at) => me.note(`the heron came at ${at} o’clock`, { label: each })),
    )
    const refs = [three, two, one].map((each) => each?.ref)
    const listed = async (minTier: 0 | 1 | 2 | 3) =>
      (await stack.getNotes({ minTier })).map(({ ref }) => ref)
    const found = async (minTier: 0 | 1 | 2 | 3) => {
      const results = await stack.search('heron', { minTier, recordTypes: ['note'] })
      return results.map(({ memoryId }) => `note:${memoryId}`)
    }
    for (const minTier of [1, 2, 3] as const) {
      const expected = refs.slice(0, 4 - minTier).sort()
      expect([...(await listed(minTier))].sort(), `list ${minTier}`).toEqual(expected)
      expect([...(await found(minTier))].sort(), `search ${minTier}`).toEqual(expected)
    }
  })

  holds(
    'L-17',
    'holds for every store: the same papers are asked for and the same are refused',
    async () => {
      const stacks = [
        (await freshStack()).stack,
        await openStack('demo', { path: ':memory:' }),
        await openStack('demo', { path: `${scratch()}/stack.db`, home: scratch() }),
      ]
      for (const stack of stacks) {
        await expect(saving(stack, { trustTier: 9 })).rejects.toMatchObject({
          code: 'invalid_provenance',
        })
        await saving(stack)
        await stack.control.setState('MAINTENANCE')
        await expect(saving(stack)).rejects.toMatchObject({ code: 'maintenance_mode' })
        await stack.close()
      }
    },
  )
})

test('a payload is an object', async () => {
  const { stack } = await freshStack()
  for (const provenance of [null, 7, 'papers', []]) {
    const record = { ...CONTENT, provenance: provenance as never }
    await expect(stack.saveRaw(record)).rejects.toMatchObject({ code: 'invalid_provenance' })
  }
})
