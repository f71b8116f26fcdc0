import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Caller } from '../../src/domain/doors.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { KINDS } from '../../src/domain/ids.ts'
import type { WriteResult } from '../../src/domain/write.ts'
import type { DoorContext } from '../../src/operations/context.ts'
import { operate } from '../../src/operations/operate.ts'
import { OPERATIONS, type OperationName } from '../../src/operations/operations.ts'

const person: Caller = {
  door: 'cli',
  operation: 'test',
  person: true,
  grant: null,
  session: null,
  turn: null,
}

async function atDoor(caller: Caller): Promise<DoorContext> {
  const stack = await openStack('protocol', { path: ':memory:' })
  const entity = new Entity('door')
  await entity.attachStack(stack)
  return { stack, entity, caller, actor: 'someone' }
}

/** In an example a ref is the name of the kind whose example was written before it. */
const withRefs = (input: unknown, refs: ReadonlyMap<string, string>): unknown =>
  JSON.parse(JSON.stringify(input), (key, value) => {
    const isRef = key === 'ref' || (typeof value === 'string' && /^\d+$/.test(key))
    return isRef ? (refs.get(value) ?? value) : value
  })

describe('the operation table', () => {
  test('every example works and answers with what is told of it, in the order of the table, on a fresh stack', async () => {
    const context = await atDoor(person)
    const refs = new Map<string, string>()
    for (const [name, { example }] of Object.entries(OPERATIONS)) {
      const operation = name as OperationName // the table's own key
      const result = await operate(context, operation, withRefs(example, refs))
      const told = OPERATIONS[operation].output().safeParse(JSON.parse(JSON.stringify(result)))
      expect(told.error?.issues ?? [], name).toEqual([])
      const { ref } = result as Partial<WriteResult> // writes answer with a ref
      if (typeof ref === 'string') refs.set(name, ref)
    }
    expect([...refs.keys()]).toEqual(expect.arrayContaining([...KINDS]))
    expect((await context.stack.ledger.audit()).ok).toBe(true)
  })

  test('every operation has its own name, a summary and an object to fill in', () => {
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      expect(operation.name).toBe(name)
      expect(operation.summary).toMatch(/^[A-Z].*\.$/)
      const schema = z.toJSONSchema(operation.input, { io: 'input' })
      expect(schema.type, name).toBe('object')
      expect(schema.additionalProperties, name).toBe(false)
    }
  })

  test('a field that an operation does not have is named, and nothing is written', async () => {
    const context = await atDoor(person)
    const before = await context.stack.getStats()
    const given = { content: 'words', label: { type: 'External', kind: 'UserAsserted' }, tier: 3 }
    const error = await operate(context, 'note', given).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(MunimentError)
    expect((error as MunimentError).issues.map(({ path }) => path)).toEqual(['label', 'tier'])
    expect(await context.stack.getStats()).toEqual(before)
  })

  test('what only a person may do is refused to a program, before anything happens', async () => {
    const program = await atDoor({ ...person, person: false })
    const { ref } = (await operate(program, 'note', {
      content: 'Kept by a program',
    })) as WriteResult
    const before = await program.stack.getStats()
    const personal: readonly [OperationName, object][] = [
      ['state', { to: 'MAINTENANCE' }],
      ['review', { ref, answer: 'keep' }],
      ['assess', { entityId: 'program', score: 1 }],
      ['maintain', {}],
      ['maintain', { dryRun: false }],
      ['import', { dump: { format: 'x', stack: 'x', memories: [] }, vouch: true }],
    ]
    for (const [name, input] of personal) {
      const error = await operate(program, name, input).catch((cause: unknown) => cause)
      expect(error, name).toMatchObject({ code: 'scope' })
    }
    for (const name of ['state', 'review', 'assess'] as const) {
      expect(await operate(program, name, {}), name).toBeDefined()
    }
    expect(await operate(program, 'maintain', { dryRun: true })).toMatchObject({ forgotten: 0 })
    expect(await program.stack.getStats()).toEqual(before)
  })

  test('a sweep that a program asks for takes nothing from first-hand memory', async () => {
    const YEARS_MS = 3_200 * 86_400_000
    let ahead = 0
    const clock = { now: () => Date.now() + ahead }
    const stack = await openStack('protocol', { path: ':memory:', clock })
    const entity = new Entity('door')
    await entity.attachStack(stack)
    const said = { stack, entity, caller: person, actor: 'someone' }
    const told = { ...said, caller: { ...person, person: false } }
    const { ref } = (await operate(said, 'note', { content: 'Said by a person' })) as WriteResult
    ahead = YEARS_MS
    const due = () => operate(told, 'maintain', { dryRun: true })
    await expect(operate(told, 'maintain', {})).rejects.toMatchObject({ code: 'scope' })
    expect(await due()).toMatchObject({ refs: [ref] })
    await operate(said, 'maintain', {})
    expect(await due()).toMatchObject({ refs: [] })
  })

  test('every field of every operation says what it is, for whoever fills it in', () => {
    for (const [name, { input }] of Object.entries(OPERATIONS)) {
      const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
      for (const [field, schema] of Object.entries(properties)) {
        expect(schema, `${name}.${field}`).toHaveProperty('description')
      }
    }
  })

  test("a person's words are a person's; through the same door a program's are a model's", async () => {
    const said = await atDoor(person)
    const written = (await operate(said, 'note', { content: 'I said so' })) as WriteResult
    expect(written.disposition).toBe('CommittedCheap')
    const told = await atDoor({ ...person, person: false })
    const other = (await operate(told, 'note', { content: 'I said so' })) as WriteResult
    expect(other.disposition).toBe('CommittedInferred')
    expect([written.tier, other.tier]).toEqual([3, 1])
  })
})
