import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openStack } from '../../../src/compose/open-stack.ts'
import { redacted } from '../../../src/domain/words/secrets.ts'
import { listen, type Serving } from '../../../src/doors/http/serve.ts'
import { parseJson } from '../../../src/ledger/parse-json.ts'
import type { Stack } from '../../../src/stack.ts'

export interface Site {
  readonly home: string
  readonly url: string
  readonly serving: Serving
  /** The address that signs a person in; good once. */
  readonly launch: () => string
  /** Another opening of a stack, as another program would. */
  readonly open: (stackId?: string) => Promise<Stack>
  readonly stop: () => Promise<void>
}

interface Options {
  /** A home to copy; without it the given one is served as it is. */
  readonly from?: string
  readonly home?: string
  readonly site: string
  readonly allowsAnyone?: boolean
  readonly port?: number
}

/** The real server on real files, in this process. */
export async function startSite({ from, site, ...options }: Options): Promise<Site> {
  const home = options.home ?? mkdtempSync(path.join(tmpdir(), 'muniment-home-'))
  if (from !== undefined) cpSync(from, home, { recursive: true })
  const list = (): readonly string[] =>
    readdirSync(path.join(home, 'stacks'))
      .filter((file) => file.endsWith('.db'))
      .map((file) => file.slice(0, -3))
  const open = (stackId = 'demo'): Promise<Stack> => openStack(stackId, { home })
  const serving = await listen({
    home,
    host: '127.0.0.1',
    port: options.port ?? 0,
    version: '9.9.9',
    source: { open, exists: async (id) => list().includes(id), list: async () => list() },
    only: null,
    usual: 'demo',
    guard: { names: [], isLoopback: true },
    allowsAnyone: options.allowsAnyone ?? true,
    rate: { perSecond: 10_000, burst: 10_000 },
    answerMs: 60_000,
    explorer: site,
    now: () => Date.now(),
    parseJson,
    redact: redacted,
    log: { error: () => undefined, info: () => undefined, debug: () => undefined },
  })
  return {
    home,
    url: serving.url,
    serving,
    launch: () => `${serving.url}/#token=${serving.door.launchToken()}`,
    open,
    stop: async () => {
      await serving.stop()
      if (options.home === undefined) rmSync(home, { recursive: true, force: true })
    },
  }
}
