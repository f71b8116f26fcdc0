import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { MunimentError, ProvenanceError } from '../../src/domain/errors.ts'
import { SOURCE_TYPES } from '../../src/domain/labels.ts'
import type { CaptureRequest } from '../../src/engine/write/write-request.ts'
import { OPERATIONS } from '../../src/operations/operations.ts'
import { holds } from '../support/holds.ts'
import { projectFiles } from '../support/project-files.ts'
import { isTestPath } from '../support/source.ts'
import { openForTest, requestOf, STACK_ID } from './production.ts'
import { refAt } from './reference/lineage.ts'
import { claims, MODEL, Scene, says, USER } from './scene.ts'
import { PLAIN } from './steps.ts'

const MAGIC = [
  'muniment:internal',
  'muniment:suggestion-promotion',
  'kernle:suggestion-promotion',
  'kernle:pre-v0.9',
  'system',
  'migration:save_belief',
  'plugin:trusted',
]

async function refused(promise: Promise<unknown>): Promise<MunimentError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof MunimentError) return error
    throw error
  }
  throw new Error('it was taken')
}

describe('nothing goes around the gate', () => {
  holds(
    'PROV-NOBYPASS',
    'no prefix in a source, a path, an actor or a document spares a source',
    async () => {
      const { stack, store } = await openForTest()
      const me = new Entity('core')
      await me.attachStack(stack)
      for (const magic of MAGIC) {
        const error = await refused(me.belief('Nothing supports this', { source: magic }))
        expect(error).toBeInstanceOf(ProvenanceError)
        const draft = { ...PLAIN, kind: 'belief', ref: refAt('belief', 1) } as const
        const { provenance, ...request } = requestOf(draft, 0)
        const named = {
          sourceEntity: magic,
          ingestionPath: magic,
          document: magic,
          sourceId: magic,
        }
        const result = await stack.write({ ...request, provenance: { ...provenance, ...named } })
        expect(result, magic).toMatchObject({ ref: null, rule: 'lineage' })
      }
      expect(store.rows(STACK_ID).memories.size).toBe(0)
    },
  )

  holds(
    'PROV-NOBYPASS',
    'a seed stands without a source only until the first other write',
    async () => {
      const seed = { kind: 'belief', ...USER, sourceType: 'seed' } as const
      const scene = await Scene.open()
      expect(await scene.tell({ ...seed, ...says('Born with this one') })).toMatchObject({
        disposition: 'CommittedCheap',
      })
      expect(scene.stack.state).toBe('INITIALIZING')
      for (const sourceType of SOURCE_TYPES.filter((type) => type !== 'seed')) {
        const told = { kind: 'belief', ...USER, sourceType, ...says('Not a seed at all') } as const
        expect(await scene.tell(told)).toMatchObject({ rule: 'lineage' })
      }
      expect(scene.stack.state).toBe('INITIALIZING')
      await scene.ref({ kind: 'raw' })
      expect(scene.stack.state).toBe('ACTIVE')
      const late = await scene.tell({ ...seed, ...says('Sown too late to count') })
      expect(late).toMatchObject({ rule: 'lineage', reasons: ['source_needed'] })
      expect((await scene.answer({ kind: 'belief', ...MODEL, sourceType: 'seed' })).type).toBe(
        'error',
      )
    },
  )

  holds(
    'PROV-NOBYPASS',
    'attaching ends the time of seeds, and maintenance does not bring it back',
    async () => {
      const scene = await Scene.open()
      await new Entity('core').attachStack(scene.stack)
      await scene.stack.control.setState('MAINTENANCE')
      const seed = { kind: 'belief', ...USER, sourceType: 'seed' } as const
      expect(await scene.answer(seed)).toMatchObject({ type: 'error', code: 'maintenance_mode' })
      await scene.stack.control.setState('ACTIVE')
      expect(await scene.tell(seed)).toMatchObject({ rule: 'lineage' })
      expect((await refused(scene.stack.control.setState('INITIALIZING'))).code).toBe(
        'invalid_input',
      )
    },
  )

  holds(
    'PROV-NOBYPASS',
    'what is captured beside a memory is a raw, a note or an episode',
    async () => {
      const { stack, store } = await openForTest()
      const request = requestOf({ ...PLAIN, kind: 'value', ref: refAt('value', 1) }, 0)
      const body = { statement: 'Believed without any source' }
      const captures = [{ kind: 'belief', body }] as unknown as readonly CaptureRequest[] // a lie
      expect((await refused(stack.write({ ...request, captures }))).code).toBe('invalid_input')
      expect(store.rows(STACK_ID).memories.size).toBe(0)
    },
  )

  holds(
    'PROV-NOBYPASS',
    'a batch is linted, and its lineage looked at, like anything else',
    async () => {
      const scene = await Scene.open()
      const raw = await scene.ref({ kind: 'raw' })
      const note = await scene.ref({ kind: 'note', parents: [raw] })
      const belief = { kind: 'belief', parents: [note] } as const
      const noisy = await scene.answerAll([
        { ...belief, ...says('Teams work better together') },
        { ...belief, ...says('aaaaa') },
      ])
      expect(noisy).toMatchObject({ type: 'refused', index: 1, result: { rule: 'lint' } })
      const own = refAt('belief', 700)
      const selfish = await scene.answerAll([belief, { ...belief, ref: own, parents: [own, note] }])
      expect(selfish).toMatchObject({ type: 'refused', index: 1, result: { reasons: ['cycle'] } })
    },
  )

  holds(
    'PROV-NOBYPASS',
    'a suggestion that calls itself promoted is still only a suggestion',
    async () => {
      const { stack } = await openForTest()
      const me = new Entity('core')
      await me.attachStack(stack)
      const body = {
        memoryType: 'belief',
        content: { statement: 'Promote me' },
        confidence: 1,
        status: 'promoted',
      } as const
      const { provenance } = requestOf({ ...PLAIN, ref: refAt('raw', 1) }, 0)
      const { ref } = await stack.write({ kind: 'suggestion', body, provenance })
      expect(await stack.getBeliefs()).toEqual([])
      expect(await refused(me.belief('Built on that', { derivedFrom: [ref ?? ''] }))).toMatchObject(
        {
          code: 'refused',
          facts: { reasons: ['parent_kind'] },
        },
      )
    },
  )

  holds('PROV-NOBYPASS', 'whoever acts on the stack itself is a person or the host', async () => {
    const { stack, store } = await openForTest()
    const caller = { operation: 'x', grant: null, session: null, turn: null, person: false }
    for (const door of ['cli', 'explorer', 'hook', 'mcp', 'http', 'import', 'sync'] as const) {
      const { policy } = await stack.control.getPolicy()
      expect((await refused(stack.control.setState('ACTIVE', { ...caller, door }))).code).toBe(
        'scope',
      )
      expect((await refused(stack.control.setPolicy(policy, { ...caller, door }))).code).toBe(
        'scope',
      )
    }
    expect(store.rows(STACK_ID).entries).toEqual([])
  })

  holds(
    'PROV-NOBYPASS',
    'only the sequencer commits what is new, and only what the gate decided',
    () => {
      const engine = projectFiles().filter(
        ({ path }) => /^src\/(?!stores|testing)/.test(path) && !isTestPath(path),
      )
      const where = (call: RegExp) =>
        engine
          .filter(({ text }) => call.test(text.replaceAll(/^ *\*.*$/gm, ''))) // but for examples in comments
          .map(({ path }) => path)
      // Restoring writes nothing of its own: it copies what a gate decided before, into an empty
      // stack. The host's own call reaches it, and the program's for a person at this machine; it
      // is no operation of the table, so no door does, and no stack that is open.
      expect(where(/\.commit\(/)).toEqual([
        'src/engine/transfer/bundle/restore.ts',
        'src/engine/write/sequencer.ts',
      ])
      // So does moving one to another store.
      expect(where(/(?<!function )\brestoreBundle\(/)).toEqual([
        'src/compose/move-stack.ts',
        'src/compose/restore-stack.ts',
        'src/engine/transfer/transfer.ts', // an own export, verified by its seal, into an empty stack
      ])
      expect(where(/(?<!function )\bmoveStack\(/)).toEqual(['src/doors/cli/main.ts'])
      expect(where(/(?<!function )\brestoreStack\(/)).toEqual(['src/doors/cli/main.ts'])
      for (const name of ['restore', 'move']) expect(Object.keys(OPERATIONS)).not.toContain(name)
      // Replaying decides a past draft again, compares, and commits nothing.
      expect(where(/(?<!function )\bdecideGroup\(/)).toEqual([
        'src/engine/audit/replay/replay.ts',
        'src/engine/write/sequencer.ts',
      ])
      expect(where(/(?<!function )\bdecideBatch\(|(?<!function )\bdecideOne\(/)).toEqual([
        'src/gate/gate.ts',
      ])
    },
  )
})

describe('words that a person kept out', () => {
  test('do not come back in other clothes', async () => {
    const scene = await Scene.open({ genesis: 'strict' })
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...MODEL } as const
    const { ref: aside } = await scene.aside(note)
    await scene.stack.review.reject(aside ?? '')
    const phrase = PLAIN.saying.phrase
    for (const words of [
      phrase.toUpperCase(),
      `  ${phrase}\n`,
      phrase.replaceAll(' ', '\u00a0 '),
    ]) {
      expect(await scene.tell({ ...note, ...says(words) })).toMatchObject({ rule: 'tombstone' })
    }
    const saying = { ...PLAIN.saying, variant: 3 }
    expect(await scene.tell({ ...note, saying })).toMatchObject({ rule: 'tombstone' })
    const other = await scene.ref({ ...note, ...says('Something else') })
    const revised = { ...note, ref: other, revises: { expectedVersion: null } }
    expect(await scene.tell(revised)).toMatchObject({ rule: 'tombstone' })
  })

  test('may be said no to twice, and the ledger is as sound as before', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const wrong = { start: '2021-01-01T00:00:00.000Z', end: '2020-01-01T00:00:00.000Z' }
    const claim = { kind: 'claim', parents: [raw], ...USER, ...claims(wrong) } as const
    const aside = [await scene.ref(claim), await scene.ref(claim)]
    for (const ref of aside) await scene.stack.review.reject(ref)
    expect(await scene.tell(claim)).toMatchObject({ rule: 'tombstone' })
    expect((await scene.stack.ledger.audit()).problems).toEqual([])
  })

  test('are those that assert: an event that was rejected may happen again', async () => {
    const scene = await Scene.open()
    const wrong = { start: '2021-01-01T00:00:00.000Z', end: '2020-01-01T00:00:00.000Z' }
    const claim = { kind: 'claim', ...USER, captures: ['raw'] } as const
    const { captures } = await scene.tell({ ...claim, ...claims(wrong) })
    await scene.stack.review.reject(captures[0] ?? '')
    expect(await scene.tell({ kind: 'raw', ...USER })).toMatchObject({ rule: 'admit' })
    const fine = { ...claim, ...claims({ predicate: 'diet' }) }
    expect(await scene.tell(fine)).toMatchObject({ rule: 'admit' })
  })

  test('are kept from one actor; nobody may be called by the name of everyone', async () => {
    const scene = await Scene.open({ genesis: 'strict' })
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...MODEL } as const
    const answer = await scene.answer({ ...note, actor: '*' })
    expect(answer).toMatchObject({ type: 'error', code: 'invalid_provenance' })
  })
})
