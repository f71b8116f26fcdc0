import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClientTools, HANDBOOK, HANDBOOK_TEXT } from './support/client-tools.ts'

async function tierOfRead(client: ClientTools, file = HANDBOOK, tool = 'Read') {
  await client.read(file, tool)
  const [last] = await client.captures()
  return last && [last.label, last.tier]
}

const VOUCHED = ['ExternalFirstHand', 2]
const UNVOUCHED = ['ExternalFirstHand', 1]

describe('a committed file that the person vouches for', () => {
  test('is captured at tier 2 and served to act', async () => {
    const client = new ClientTools()
    await client.trust()
    await client.start()
    expect(await tierOfRead(client)).toEqual(VOUCHED)
    const stack = await client.stack()
    const asked = { for: 'act' as const, recordTypes: ['raw'] }
    const found = await stack.search('what is the staging database called', asked)
    expect(found.map(({ content }) => content)).toContainEqual(HANDBOOK_TEXT)
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('also with numbers before the lines', async () => {
    const client = new ClientTools()
    await client.trust()
    await client.start()
    const file_path = path.join(client.project, HANDBOOK)
    const numbered = HANDBOOK_TEXT.trim()
      .split('\n')
      .map((line, at) => `     ${at + 1}→${line}`)
    await client.used('Read', { file_path }, numbered.join('\n'))
    expect((await client.captures())[0]).toMatchObject({ tier: 2 })
  })

  test('where a prompt is the first that the hooks hear of the session', async () => {
    const client = new ClientTools()
    await client.trust()
    await client.prompt('Please read the handbook.')
    expect(await tierOfRead(client)).toEqual(VOUCHED)
  })
})

describe('the same file is captured at tier 1', () => {
  test('where only a part of it was read, because a part can twist the meaning', async () => {
    const client = new ClientTools()
    await client.trust()
    await client.start()
    const file_path = path.join(client.project, HANDBOOK)
    const [, part] = HANDBOOK_TEXT.split('\n')
    for (const shown of [part, `     2→${part}`]) {
      await client.used('Read', { file_path, offset: 2, limit: 1 }, shown)
    }
    expect((await client.captures()).map(({ tier }) => tier)).toEqual([1, 1])
  })

  test('where it is too long to be kept whole', async () => {
    const client = new ClientTools()
    writeFileSync(
      path.join(client.project, HANDBOOK),
      `${HANDBOOK_TEXT}${'More of it.\n'.repeat(800)}`,
    )
    await client.bash('git commit -qam long')
    await client.trust()
    client.session = 'session-2'
    await client.start()
    expect(await tierOfRead(client)).toEqual(UNVOUCHED)
  })

  test('after the session edits it, and after the session commits the edit', async () => {
    const client = new ClientTools()
    await client.trust()
    await client.start()
    expect(await tierOfRead(client)).toEqual(VOUCHED)
    await client.edit(HANDBOOK, 'Heron', 'Egret')
    expect(await tierOfRead(client)).toEqual(['ModelDerived', 1])
    await client.bash('git commit -qam more')
    await client.edit(HANDBOOK, 'Tuesdays', 'Mondays')
    expect(await tierOfRead(client)).toEqual(['ModelDerived', 1])
  })

  test('where the person vouched for nothing', async () => {
    const client = new ClientTools()
    await client.start()
    expect(await tierOfRead(client)).toEqual(UNVOUCHED)
  })

  test('where the person took it back', async () => {
    const client = new ClientTools()
    await client.trust()
    await client.desk.person([
      'trust',
      'captures',
      'trust',
      'Read',
      '--path',
      client.project,
      '--undo',
    ])
    await client.start()
    expect(await tierOfRead(client)).toEqual(UNVOUCHED)
  })

  test('where the session had begun before the person vouched', async () => {
    const client = new ClientTools()
    await client.start()
    await client.bash('ls')
    await client.trust()
    await client.prompt('Please read the handbook.')
    expect(await tierOfRead(client)).toEqual(UNVOUCHED)
  })

  test('where another tool reads it: a server’s Read, a shell', async () => {
    const client = new ClientTools()
    await client.trust()
    await client.start()
    expect(await tierOfRead(client, HANDBOOK, 'mcp__files__Read')).toEqual(UNVOUCHED)
    expect(await tierOfRead(client, HANDBOOK, 'read')).toEqual(UNVOUCHED)
  })

  test('where somebody changed it since the commit, or it was never committed', async () => {
    const client = new ClientTools()
    await client.trust()
    await client.start()
    writeFileSync(path.join(client.project, HANDBOOK), 'Releases go out on Fridays.\n')
    expect(await tierOfRead(client)).toEqual(UNVOUCHED)
    writeFileSync(path.join(client.project, 'new.md'), 'Nobody committed this sentence.\n')
    expect(await tierOfRead(client, 'new.md')).toEqual(UNVOUCHED)
  })

  test('where the path leads out of the folder', async () => {
    const client = new ClientTools()
    const other = new ClientTools()
    await client.trust()
    await client.start()
    symlinkSync(path.join(other.project, HANDBOOK), path.join(client.project, 'link.md'))
    expect(await tierOfRead(client, 'link.md')).toEqual(UNVOUCHED)
  })

  test('where no person attends the session', async () => {
    const client = new ClientTools()
    client.env = { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }
    await client.trust()
    await client.start()
    expect(await tierOfRead(client)).toEqual(UNVOUCHED)
  })
})

describe('muniment setup claude-code --hooks', () => {
  const setUp = (client: ClientTools, ...more: readonly string[]) =>
    client.desk.person(['setup', 'claude-code', '--hooks', ...more], { folder: client.project })

  test('explains how to vouch for files, and vouches for none', async () => {
    const client = new ClientTools()
    const { code, out } = await setUp(client)
    expect(code).toBe(0)
    expect(out).toContain(
      'files of this folder that the client reads: muniment trust captures trust Read',
    )
    const listed = (await client.desk.call(['trust', 'captures', '--json'])).json()
    expect(listed).toMatchObject({ trusted: [] })
  })

  test('with --trust-reads vouches for the folder, where a person asks', async () => {
    const client = new ClientTools()
    const given = ['setup', 'claude-code', '--hooks', '--trust-reads']
    const refused = await client.desk.call(given, { folder: client.project })
    expect(refused.err).toContain('A person says which files to trust')
    expect((await setUp(client, '--trust-reads')).out).toContain('You vouch for')
    const listed = (await client.desk.call(['trust', 'captures', '--json'])).json()
    expect(listed).toMatchObject({ trusted: [{ tool: 'Read', root: client.project }] })
  })
})

describe('what a person settles about captures', () => {
  test('no program changes it, and only the person reads the file', async () => {
    const { desk, project } = new ClientTools()
    for (const act of [['trust', 'Read', '--path', project], ['pause'], ['resume']]) {
      const refused = await desk.call(['trust', 'captures', ...act], { env: { CLAUDECODE: '1' } })
      expect(refused.code).not.toBe(0)
      expect(refused.err).toContain('A person')
      expect((await desk.person(['trust', 'captures', ...act])).code).toBe(0)
    }
    const file = path.join(desk.home, 'captures.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      trusted: [{ client: 'claude-code', tool: 'Read', root: project }],
    })
    const listed = (await desk.call(['trust', 'captures', '--json'])).json()
    expect(listed).toMatchObject({ isPaused: false, trusted: [{ root: project }] })
  })

  test('the ledger of the stack has each change', async () => {
    const client = new ClientTools()
    await client.prompt('Good morning, let us begin.')
    await client.trust()
    await client.desk.person([
      'trust',
      'captures',
      'trust',
      'Read',
      '--path',
      client.project,
      '--undo',
    ])
    const said = (await client.captures()).map(({ text }) => text)
    expect(said.slice(0, 2)).toEqual([
      `The person no longer trusts committed files in ${client.project} that claude-code reads by Read.`,
      `The person trusts committed files in ${client.project} that claude-code reads by Read.`,
    ])
  })

  test('paused hooks capture nothing, and capture again when resumed', async () => {
    const client = new ClientTools()
    await client.desk.person(['trust', 'captures', 'pause'])
    await client.prompt('Nobody is to keep this sentence.')
    await client.bash('ls')
    await client.desk.person(['trust', 'captures', 'resume'])
    await client.prompt('This sentence may be kept.')
    expect((await client.captures()).map(({ text }) => text)).toEqual([
      'This sentence may be kept.',
    ])
  })
})
