// Runs the real Claude Code against a scripted model on loopback, in a temporary project and home, and
// checks that `muniment why` ends at the words that were typed: `npm run claude-code`.
// The client comes from npm into a temporary folder; $CLAUDE_CODE_BIN names a client that is there already.
// It needs script(1), which gives the client a pseudo-terminal.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const BIN = fileURLToPath(new URL('../src/doors/cli/bin.ts', import.meta.url))
const KEY = 'sk-ant-scripted-0000000000000000000000000000'
const STATEMENT = 'The user prefers trains to flights.'
const TYPED = 'I prefer trains to flights'
const WAIT_MS_MAX = 120_000

interface Block {
  readonly type: string
  readonly text?: string
  readonly content?: unknown
  readonly is_error?: boolean
}
interface Request {
  readonly model: string
  readonly tools?: readonly { readonly name: string }[]
  readonly messages: readonly {
    readonly role: string
    readonly content: string | readonly Block[]
  }[]
}
type Reply =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

/** What the model and the client said to each other, for the report. */
const seen: string[] = []

const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((each: Block) => each.text ?? textIn(each.content)).join('\n')
      : ''

/** The scripted model: it goes by the last thing that the client says. */
function replyTo({ messages }: Request): Reply {
  const blocks = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content } as Block] : content,
  )
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => textIn(content))
  const isAskedWhy = blocks.some(
    ({ type, text }) => type === 'text' && text?.trim() === 'why do you think that?',
  )
  const kept = results.map((text) => /belief:[0-9a-f-]{36}/.exec(text)?.[0]).find(Boolean)
  const lineage = results.find((text) => /let_in_by|was let in by/.test(text))
  if (results.length === 0) return { tool: 'memory_belief', input: { statement: STATEMENT } }
  if (kept === undefined) {
    const because = 'The user spoke of how to travel.'
    return { tool: 'memory_belief', input: { statement: STATEMENT, because } }
  }
  if (!isAskedWhy) return { text: `Noted as ${kept}.` }
  if (lineage === undefined) return { tool: 'meta_lineage', input: { memory_id: kept } }
  return { text: 'Because you said so.' }
}

/** The part of the API that the client needs: messages, streamed. */
function scriptedApi(): Promise<{ readonly server: Server; readonly url: string }> {
  let calls = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (!request.url?.startsWith('/v1/messages') || request.url.includes('count_tokens')) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ input_tokens: 1 }))
        return
      }
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Request & { stream?: boolean } // the client's
      const prefix = 'mcp__muniment__'
      const isMain = asked.tools?.some(({ name }) => name.startsWith(prefix)) === true
      const reply = isMain ? replyTo(asked) : { text: 'ok' }
      if (isMain) {
        const last = asked.messages.findLast(({ role }) => role === 'user')?.content
        const results = Array.isArray(last)
          ? last.filter(({ type }: Block) => type === 'tool_result')
          : []
        for (const { content } of results as readonly Block[])
          seen.push(`client → model: ${textIn(content)}`)
        seen.push(`model → client: ${JSON.stringify(reply)}`)
      }
      calls += 1
      const id = `toolu_${process.pid}_${calls}`
      const block =
        'tool' in reply
          ? { type: 'tool_use', id, name: `${prefix}${reply.tool}`, input: {} }
          : { type: 'text', text: '' }
      const delta =
        'tool' in reply
          ? { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) }
          : { type: 'text_delta', text: reply.text }
      const stop_reason = 'tool' in reply ? 'tool_use' : 'end_turn'
      const usage = { input_tokens: 1, output_tokens: 1 }
      const message = { id: `msg_${calls}`, type: 'message', role: 'assistant', model: asked.model }
      const begun = { ...message, content: [], stop_reason: null, stop_sequence: null, usage }
      if (asked.stream !== true) {
        const whole =
          'tool' in reply ? { ...block, input: reply.input } : { ...block, text: reply.text }
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ ...begun, content: [whole], stop_reason }))
        return
      }
      response.setHeader('content-type', 'text/event-stream')
      for (const event of [
        { type: 'message_start', message: begun },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
        { type: 'message_stop' },
      ]) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      }
      response.end()
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      resolve({ server, url: `http://127.0.0.1:${port}` })
    })
  })
}

/** The client from npm, without its install script: the package of the platform holds the program. */
function installedClient(folder: string): string {
  const given = process.env.CLAUDE_CODE_BIN
  if (given) return given
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '@anthropic-ai/claude-code',
  ]
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' })
  const scope = path.join(folder, 'node_modules', '@anthropic-ai')
  const platform = `${process.platform}-${process.arch}`
  const bin = path.join(scope, `claude-code-${platform}`, 'claude')
  if (status === 0 && existsSync(bin)) return bin
  throw new Error(
    `npm did not bring the client for ${platform}. Set CLAUDE_CODE_BIN to its program.`,
  )
}

/** A home in which the client asks nothing before it begins: theme, key, trust, servers. */
function makeHome(home: string, project: string): void {
  mkdirSync(path.join(home, '.claude'), { recursive: true })
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
  const state = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [project]: { ...trusted, enabledMcpjsonServers: ['muniment'] } },
  }
  writeFileSync(path.join(home, '.claude.json'), JSON.stringify(state))
  // In its automatic mode the client asks a model about every call and shows no line of shortcuts.
  const permissions = { allow: ['mcp__muniment'], defaultMode: 'default' }
  const settings = { enableAllProjectMcpServers: true, permissions }
  writeFileSync(path.join(home, '.claude', 'settings.json'), JSON.stringify(settings))
}

/** A person at a terminal: types into the client and waits for what it shows. */
class Terminal {
  readonly #child: ChildProcess
  #shown = ''

  constructor(client: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    const line = `stty cols 150 rows 50; exec '${client}'`
    this.#child = spawn('script', ['-qefc', line, '/dev/null'], { ...options, stdio: 'pipe' })
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#shown += chunk.toString()
    })
  }

  /** What was shown, without colours, moves of the cursor and blanks. */
  get text(): string {
    return stripVTControlCharacters(this.#shown).replace(/\s+/g, '')
  }

  async until(isThere: () => boolean, what: string): Promise<void> {
    for (let waited = 0; !isThere(); waited += 100) {
      if (waited > WAIT_MS_MAX || this.#child.exitCode !== null) {
        throw new Error(
          `The client did not ${what}. It showed:\n${stripVTControlCharacters(this.#shown).slice(-3_000)}`,
        )
      }
      await pause(100)
    }
  }

  async type(text: string): Promise<void> {
    this.#child.stdin?.write(text)
    await pause(1_000) // the client takes what comes in one piece with its end of line for a paste
    this.#child.stdin?.write('\r')
  }

  /** Newer clients offer their automatic mode first; the second answer keeps the manual one. */
  async keepManualMode(): Promise<void> {
    await pause(5_000)
    if (!this.text.includes('keepmanualmode')) return
    this.#child.stdin?.write('\u001b[B')
    await pause(500)
    this.#child.stdin?.write('\r')
    await pause(1_000)
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.stdin?.end()
    await Promise.race([ended, pause(10_000)])
    this.#child.kill()
  }
}

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'muniment-claude-code-')))
const home = path.join(root, 'home')
const project = path.join(root, 'project')
mkdirSync(project)
makeHome(home, project)
const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
const muniment = (...args: readonly string[]) =>
  spawnSync(process.execPath, [BIN, ...args], { cwd: project, env, encoding: 'utf8' })

const { server, url } = await scriptedApi()
let failure: string | null = null
try {
  const client = installedClient(root)
  const version = spawnSync(client, ['--version'], { env, encoding: 'utf8' }).stdout.trim()
  process.stdout.write(
    `client: ${version}\n${muniment('setup', 'claude-code', '--hooks').stdout}\n`,
  )
  const terminal = new Terminal(client, {
    cwd: project,
    env: {
      ...env,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      ENABLE_TOOL_SEARCH: 'false', // else the model is shown the tools of servers only when it searches
    },
  })
  try {
    // Newer clients name the mode below the prompt where older ones name the shortcuts.
    await terminal.until(() => /shortcuts|manualmode/.test(terminal.text), 'begin')
    await terminal.keepManualMode()
    await terminal.type(TYPED)
    await terminal.until(
      () => seen.some((line) => line.includes('Noted as')),
      'answer the first prompt',
    )
    await pause(2_000)
    await terminal.type('why do you think that?')
    await terminal.until(
      () => seen.some((line) => line.includes('Because you said so')),
      'answer why',
    )
    await pause(2_000)
    await terminal.type('/exit')
  } finally {
    await terminal.end()
  }
  process.stdout.write(`${seen.join('\n')}\n\n`)
  const ref = /belief:[0-9a-f-]{36}/.exec(seen.join('\n'))?.[0] ?? ''
  const { stdout, stderr } = muniment('why', ref)
  process.stdout.write(`$ muniment why ${ref}\n${stdout}${stderr}\n`)
  if (!seen.some((line) => line.includes('(what the user said in this turn)'))) {
    failure = 'The refusal did not name the prompt of the turn.'
  } else if (!stdout.includes('Said in this turn') || !stdout.includes(`“${TYPED}”`)) {
    failure = 'why did not end at the typed words.'
  }
  const { stdout: loaded } = muniment('load')
  process.stdout.write(`$ muniment agent load\n${loaded}\n`)
  if (loaded.includes('until its end')) failure ??= 'The note that ends the session was loaded.'
} catch (error) {
  process.stdout.write(`${seen.join('\n')}\n`)
  failure = error instanceof Error ? error.message : String(error)
} finally {
  server.close()
  rmSync(root, { recursive: true, force: true })
}
process.stdout.write(
  failure === null ? 'ok: why ends at the typed words\n' : `FAILED: ${failure}\n`,
)
process.exitCode = failure === null ? 0 : 1
