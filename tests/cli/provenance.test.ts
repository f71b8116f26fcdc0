import { expect, test } from 'vitest'
import { KINDS, type Kind } from '../../src/domain/ids.ts'
import { OPERATIONS } from '../../src/operations/operations.ts'
import { holds } from '../support/holds.ts'
import { commandWords } from './support/command-words.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

/** One write of every kind that cites something, in the order in which they can. */
const WRITES: readonly (readonly [command: Kind, ...args: readonly string[]])[] = [
  ['raw', 'The deploy failed'],
  ['episode', 'deploy', 'failed', '--from', 'raw'],
  ['note', 'a lock', '--from', 'raw'],
  ['claim', 'deploy', 'state', 'failed', '--from', 'raw'],
  ['belief', 'Locks break deployments', '--from', 'note'],
  ['goal', 'deploy again', '--from', 'belief'],
  ['relationship', '--entity-name', 'Ann', '--relationship-type', 'colleague', '--from', 'episode'],
  ['value', 'care', 'Order matters to me', '--from', 'belief'],
  ['drive', 'curiosity', '--from', 'belief'],
]

holds('P-23', 'every command that touches memories takes and shows provenance', async () => {
  const desk = new Desk(scratch())
  const refs = new Map<string, string>()
  for (const [command, ...args] of WRITES) {
    const cited = args.map((arg) => refs.get(arg) ?? arg)
    const words = commandWords(command)
    const said = await desk.person([...words, ...cited, '--source', 'Ann', '--json'])
    expect(said.code, `${command}: ${said.err}`).toBe(0)
    const written = said.json() as { readonly ref: string; readonly tier: number }
    expect(written).toMatchObject({ tier: 3, entry: { seq: expect.any(Number) } })
    refs.set(command, written.ref)
    const shown = (await desk.call(['show', written.ref, '--json'])).json()
    expect(shown).toMatchObject({
      provenance: {
        sourceEntity: 'Ann',
        sourceId: 'default:user',
        ingestionPath: `cli:${command}`,
        label: { type: 'External', kind: 'UserAsserted' },
        derivedFrom: command === 'raw' ? [] : [expect.stringMatching(/^[a-z]+:/)],
      },
    })
  }
  const belief = refs.get('belief') ?? ''
  for (const command of [
    ['why', belief],
    ['why', belief, '--impact'],
    ['list', 'belief'],
    ['search', 'locks'],
  ]) {
    const { out } = await desk.call(command)
    expect(out, command.join(' ')).toMatch(/a person/)
  }
  const changed = await desk.person(['memory', 'weaken', belief, '0.1', '-v'])
  expect(changed.out).toContain('UserAsserted')
})

test('every write of the table takes sources, evidence and who it is from', () => {
  for (const kind of KINDS) {
    const fields = Object.keys(OPERATIONS[kind].input.shape)
    expect(fields, kind).toEqual(
      expect.arrayContaining(['derivedFrom', 'because', 'source', 'evidence', 'sourceType']),
    )
  }
})
