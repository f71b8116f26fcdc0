import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/index.ts'
import { ClientTools } from '../firewall/support/client-tools.ts'
import { verifyLedger } from '../ledger/naive-verifier.ts'
import { ledgerOf } from '../ledger/vandal.ts'

const DAY_MS = 86_400_000
const shell = (client: ClientTools, said: string) =>
  client.used('Bash', { command: 'cat notes' }, { stdout: said })

async function textsIn(client: ClientTools): Promise<readonly string[]> {
  const stack = await client.stack()
  const raws = await stack.list('raw', { limit: 100 })
  return raws.map(({ text }) => text).filter((text) => !text.startsWith('The person keeps'))
}

async function doctorLine(client: ClientTools, of = 'captures'): Promise<string> {
  const { out } = await client.desk.person(['doctor', '--json'])
  const { checks } = JSON.parse(out) as { checks: { name: string; detail: string }[] }
  return checks.find(({ name }) => name === of)?.detail ?? ''
}

const maintain = async (client: ClientTools) => {
  const { code, out } = await client.desk.person(['stack', 'maintain', '--json'])
  expect(code).toBe(0)
  return (JSON.parse(out) as { stack: Record<string, number> }).stack
}

/** Two captures of a tool, of which one is cited, a note that a person types, and eleven days. */
async function scene() {
  const client = new ClientTools()
  await client.start()
  await shell(client, 'An old page about the release.')
  await shell(client, 'A page that a note cites.')
  await client.desk.person(['note', 'I typed this at the terminal.'])
  const stack = await client.stack()
  const cited = (await stack.list('raw')).find(({ text }) => text.includes('cites'))
  const me = new Entity('my-agent', { modelId: 'model-1' })
  await me.attachStack(stack)
  await me.note('The page says what a note cites', { derivedFrom: [String(cited?.ref)] })
  client.desk.later(11 * DAY_MS)
  await shell(client, 'A young page about the release.')
  return client
}

const KEPT = [
  'A page that a note cites.',
  'A young page about the release.',
  'I typed this at the terminal.',
]

describe('captures of hooks', () => {
  test('are erased by maintenance after the days that the person settled, and nothing else is', async () => {
    const client = await scene()
    expect(await client.desk.person(['trust', 'captures', 'keep', '10d'])).toMatchObject({
      code: 0,
    })
    expect(await doctorLine(client)).toBe('kept for 10 days, 1 capture past that')
    expect(await maintain(client)).toMatchObject({ capturesErased: 1, capturesWaiting: 0 })
    const texts = await textsIn(client)
    expect(texts).not.toContain('An old page about the release.')
    expect(texts).toEqual(expect.arrayContaining(KEPT))
    expect(await doctorLine(client)).toBe('kept for 10 days, none waits to be erased')
    expect(await maintain(client)).toMatchObject({ capturesErased: 0, capturesWaiting: 0 })
    const stack = await client.stack()
    const { entries } = await stack.ledger.entries({ limit: 100 })
    const erased = entries.filter(({ entry }) => entry.includes('"memory.erased"'))
    expect(erased.map(({ entry }) => entry.includes('"basis":"retention"'))).toEqual([true])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('that are paused, and files that are vouched for, are seen by doctor and told by entries', async () => {
    const client = await scene()
    expect(await doctorLine(client, 'hooks')).toBe('')
    expect(await doctorLine(client, 'vouched')).toContain('for no files')
    await client.trust()
    await client.desk.person(['trust', 'captures', 'pause'])
    expect(await doctorLine(client, 'hooks')).toBe('paused: they capture nothing')
    expect(await doctorLine(client, 'vouched')).toContain(client.project)
    await client.desk.person(['trust', 'captures', 'resume'])
    expect(await doctorLine(client, 'hooks')).toBe('')
    const texts = await textsIn(client)
    expect(texts).toContain('The person pauses captures of hooks.')
    expect(texts).toContain('The person resumes captures of hooks.')
    expect(texts.some((text) => text.includes(`files in ${client.project}`))).toBe(true)
  })

  test('may come again after they were erased', async () => {
    const client = await scene()
    await client.desk.person(['trust', 'captures', 'keep', '10d'])
    expect(await maintain(client)).toMatchObject({ capturesErased: 1 })
    await shell(client, 'An old page about the release.')
    expect(await textsIn(client)).toContain('An old page about the release.')
    const stack = await client.stack()
    expect((await stack.ledger.audit()).problems).toEqual([])
    const rows = client.desk.store('default').rows(stack.stackId)
    expect(verifyLedger(ledgerOf(rows))).toEqual([])
  })

  test('are kept for ever unless a person says otherwise, and again when the person says so', async () => {
    const client = await scene()
    expect(await doctorLine(client)).toContain('kept for ever')
    expect(await maintain(client)).not.toHaveProperty('capturesErased')
    await client.desk.person(['trust', 'captures', 'keep', '10d'])
    await client.desk.person(['trust', 'captures', 'keep', 'forever'])
    expect(await maintain(client)).not.toHaveProperty('capturesErased')
    expect(await textsIn(client)).toContain('An old page about the release.')
  })

  test('are erased in bounded runs, and the rest waits', async () => {
    const client = new ClientTools()
    await client.start()
    const stack = await client.stack()
    const me = new Entity('muniment-hook', { modelId: 'unknown:claude-code' })
    await me.attachStack(stack)
    const caller = { door: 'hook', operation: 'tool_result', person: false, grant: null } as const
    for (let at = 0; at < 203; at += 1) {
      await me.raw(`Page number ${at}`, {
        observed: true,
        caller: { ...caller, session: 's', turn: null },
      })
    }
    client.desk.later(11 * DAY_MS)
    await client.desk.person(['trust', 'captures', 'keep', '10d'])
    expect(await maintain(client)).toMatchObject({ capturesErased: 200, capturesWaiting: 3 })
    expect(await maintain(client)).toMatchObject({ capturesErased: 3, capturesWaiting: 0 })
  })

  test('have a time that only a person settles, in whole days', async () => {
    const client = await scene()
    expect((await client.desk.call(['trust', 'captures', 'keep', '1d'])).code).not.toBe(0)
    for (const wrong of ['0d', '90', 'soon', '-1d']) {
      expect((await client.desk.person(['trust', 'captures', 'keep', wrong])).code).not.toBe(0)
    }
    expect(await maintain(client)).not.toHaveProperty('capturesErased')
    expect(await client.desk.person(['trust', 'captures', 'keep', '36500d'])).toMatchObject({
      code: 0,
    })
  })
})
