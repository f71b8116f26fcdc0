import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Memory } from '../../src/engine/read/memory-view.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

const newest = async (desk: Desk, kind: string): Promise<Memory> => {
  const [memory] = (await desk.call(['list', kind, '--json'])).json() as readonly Memory[]
  if (!memory) throw new Error(`no ${kind}`)
  return memory
}

describe('writing', () => {
  test('the first thing a new person types works, and says what became of it', async () => {
    const desk = new Desk(scratch())
    const said = await desk.person(['note', 'The table has forty million rows'])
    expect(said.code).toBe(0)
    expect(said.out).toMatch(/^Saved note:[0-9a-f]{8} \(you said it\)\n/)
    expect(said.out).toMatch(/next: muniment why note:[0-9a-f]{8}/)
    expect(said.out).not.toMatch(/Committed|rule|entry|UserAsserted|tier/)
    expect(said.out.trimEnd().split('\n').length).toBeLessThanOrEqual(4)
    expect(await newest(desk, 'note')).toMatchObject({
      text: 'The table has forty million rows',
      provenance: {
        label: { type: 'External', kind: 'UserAsserted' },
        sourceId: 'default:user',
        ingestionPath: 'cli:note',
        llmModel: null,
      },
    })
  })

  test('with -v, the page shows label, tier, rule, disposition and entry', async () => {
    const desk = new Desk(scratch())
    const more = await desk.person(['note', 'The index takes an hour', '-v'])
    expect(more.out).toContain('as UserAsserted, tier 3: a person at a terminal')
    expect(more.out).toMatch(/\n {2}CommittedCheap by the rule admit, entry \d+\n/)
  })

  test('tags with commas are several tags, by either name of the option', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'Deploys freeze on Friday', '--tags', 'ops,release', '--tag', 'ci'])
    expect((await newest(desk, 'note')).tags).toEqual(['ops', 'release', 'ci'])
    await desk.person(['memory', 'episode', 'deploy', 'done', '--lessons', 'first, migrate'])
    expect((await newest(desk, 'episode')).body).toMatchObject({ lessons: ['first, migrate'] })
  })

  test('without a terminal the words are a model’s, and the page says why and what to do', async () => {
    const desk = new Desk(scratch())
    const said = await desk.call(['note', 'from a script'])
    expect(said.out).toContain('because stdin is not a terminal: muniment help labels')
    expect(said.out).toContain('muniment help labels')
    expect((await newest(desk, 'note')).provenance).toMatchObject({
      label: { type: 'ModelDerived' },
      sourceId: 'default:model',
      llmModel: 'unknown:muniment-cli 9.9.9',
    })
  })

  test('an agent’s shell is named as the model nobody named', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'from an agent'], { env: { CLAUDECODE: '1' } })
    expect((await newest(desk, 'note')).provenance.llmModel).toBe('unknown:claude-code')
    await desk.person(['note', 'from a model with a name', '--model', 'opus-9'], {
      env: { CLAUDECODE: '1' },
    })
    expect((await newest(desk, 'note')).provenance.llmModel).toBe('opus-9')
  })

  test('repeated options become lists, and aliases mean the same', async () => {
    const desk = new Desk(scratch())
    await desk.person([
      ...['memory', 'episode', 'deploy v2', 'failed', '--lesson', 'migrate first'],
      ...['--lessons', 'warn early', '--outcome-type=failure', '--emotional-valence', '-0.5'],
    ])
    expect((await newest(desk, 'episode')).body).toMatchObject({
      objective: 'deploy v2',
      outcome: 'failed',
      lessons: ['migrate first', 'warn early'],
      outcomeType: 'failure',
      emotionalValence: -0.5,
    })
  })

  test('a step may be plain words or an object; a day is its first moment in UTC', async () => {
    const desk = new Desk(scratch())
    await desk.person([
      ...['agent', 'playbook', 'Deploy', 'Migrate, then deploy', '--step', 'migrate'],
      ...['--step', '{"action":"deploy","details":"slowly"}', '--last-used', '2026-01-02'],
      ...['--because', 'it worked twice'],
    ])
    expect((await newest(desk, 'playbook')).body).toMatchObject({
      steps: [{ action: 'migrate' }, { action: 'deploy', details: 'slowly' }],
      lastUsed: '2026-01-02T00:00:00.000Z',
    })
  })

  test.each<[string, unknown]>([
    ['Berlin', 'Berlin'],
    ['42', 42],
    ['true', true],
    ['["a","b"]', ['a', 'b']],
    ['01234', '01234'],
    ['1.10', '1.10'],
    ['12345678901234567890', '12345678901234567890'],
    ['[draft] later', '[draft] later'],
  ])('the value %s of a claim is read without loss', async (typed, value) => {
    const desk = new Desk(scratch())
    await desk.person(['claim', 'user', 'thing', typed])
    expect((await newest(desk, 'claim')).body).toMatchObject({ value })
  })

  test('“-” reads the main text from stdin, without the shell’s last line end', async () => {
    const desk = new Desk(scratch())
    const said = await desk.call(['memory', 'raw', '-'], { stdin: 'two\nlines\n' })
    expect(said.code).toBe(0)
    expect((await newest(desk, 'raw')).text).toBe('two\nlines')
  })

  test('stdin that is not text is refused, not repaired', async () => {
    const said = await new Desk(scratch()).call(['memory', 'raw', '-'], {
      stdin: new Uint8Array([0xff, 0xfe]),
    })
    expect(said).toMatchObject({ code: 2, out: '' })
    expect(said.err).toContain('not UTF-8')
  })

  test('--input gives the whole input, from a file or from stdin', async () => {
    const home = scratch()
    const desk = new Desk(home)
    const file = path.join(home, 'input.json')
    writeFileSync(file, JSON.stringify({ content: 'from a file', noteType: 'decision' }))
    expect((await desk.person(['note', '--input', file])).code).toBe(0)
    expect((await newest(desk, 'note')).body).toMatchObject({ noteType: 'decision' })
    const piped = await desk.call(['note', '--input', '-', '--json'], {
      stdin: '{"content":"piped"}',
    })
    expect(piped.code).toBe(0)
    const twice = await desk.call(['note', '--input', '-'], {
      stdin: '{"content":"a","content":"b"}',
    })
    expect(twice).toMatchObject({ code: 2 })
    const both = await desk.call(['note', 'words', '--input', file])
    expect(both).toMatchObject({ code: 2 })
  })

  test('short refs are taken wherever a memory is named', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'Two deploys failed on locks'])
    const note = await newest(desk, 'note')
    const said = await desk.person(['belief', 'Migrations go first', '--from', note.id.slice(-8)])
    expect(said.code).toBe(0)
    expect((await newest(desk, 'belief')).provenance.derivedFrom).toEqual([note.ref])
  })

  test('--json is one value with whole ids, and says which label it took', async () => {
    const said = await new Desk(scratch()).person(['note', 'as JSON', '--json'])
    expect(said.json()).toMatchObject({
      ref: expect.stringMatching(/^note:[0-9a-f-]{36}$/),
      disposition: 'CommittedCheap',
      rule: 'admit',
      tier: 3,
      label: { type: 'External', kind: 'UserAsserted' },
      labelBecause: 'a person at a terminal',
    })
    expect(said.err).toBe('')
  })

  test('saying it again is no second memory, and the page says so', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'once and for all'])
    const again = await desk.person(['note', 'once and for all'])
    expect(again.out).toContain('Said again: note:')
    const echo = await desk.call(['note', 'once and for all'])
    expect(echo.out).toContain('An echo of note:')
    expect((await desk.call(['stack', 'stats', '--json'])).json()).toMatchObject({ note: 1 })
  })

  test('a session ends up in the provenance', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'in a session', '--session', 's-1'])
    expect((await newest(desk, 'note')).provenance.session).toBe('s-1')
  })
})
