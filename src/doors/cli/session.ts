import path from 'node:path'
import { MunimentError, ScopeError } from '../../domain/errors.ts'
import { parseStackId } from '../../domain/ids.ts'
import type { Stack } from '../../stack/stack.ts'
import { ensureHome } from '../access/home.ts'
import { grantOf, isPersons, TokenShelf } from '../access/tokens.ts'
import { bearerOf, callerAt, type Who } from './caller.ts'
import type { Host } from './host.ts'
import type { Page } from './render/page.ts'

/** The common options, as they were given. */
export interface CommonGiven {
  readonly stack?: string
  readonly home?: string
  readonly store?: string
  readonly session?: string
  readonly token?: string
  readonly model?: string
}

/** One run of one command: which stack, which home, who is calling. */
export class Session {
  readonly host: Host
  readonly page: Page
  readonly isJson: boolean
  readonly home: string
  /** The address of a store; null for files in the home folder. */
  readonly store: string | null
  readonly stackId: string
  readonly sessionId: string | null
  readonly #given: CommonGiven

  constructor(
    host: Host,
    given: CommonGiven,
    look: { readonly page: Page; readonly isJson: boolean },
  ) {
    this.host = host
    this.page = look.page
    this.isJson = look.isJson
    this.#given = given
    // Set but empty is how a shell says "not set".
    this.home = path.resolve(given.home ?? (host.env.MUNIMENT_HOME || host.defaultHome))
    this.store = given.store ?? (host.env.MUNIMENT_STORE || null)
    this.stackId = parseStackId(this.stackGiven ?? 'default')
    this.sessionId = given.session ?? null
  }

  /** Who is calling, by what this program can check. A token that is not ours is refused here. */
  async who(): Promise<Who> {
    const token = this.#given.token ?? (this.host.env.MUNIMENT_TOKEN || undefined)
    if (token === undefined) return this.whoWithout()
    const row = await new TokenShelf(this.home).rowOf(token, this.host.now())
    if (row.stacks !== null && !row.stacks.includes(this.stackId)) {
      throw new ScopeError(`The token “${row.name}” does not open the stack “${this.stackId}”.`, {
        hint: `It opens ${row.stacks.join(', ')}: --stack <id>`,
        facts: { about: 'token' },
      })
    }
    return bearerOf({ name: row.name, isPerson: isPersons(row), grant: grantOf(row) })
  }

  /** The same by terminal and environment alone. */
  whoWithout(): Who {
    const { stdin, stdout, stderr, env } = this.host
    return callerAt({
      stdinIsTerminal: stdin.isTerminal,
      stdoutIsTerminal: stdout.isTerminal,
      stderrIsTerminal: stderr.isTerminal,
      env,
    })
  }

  /** The stack that this call named, by option or by variable. */
  get stackGiven(): string | null {
    return this.#given.stack ?? (this.host.env.MUNIMENT_STACK || null)
  }

  /**
   * The stack and the home as options, where this call named them, by option or by variable: what
   * calls on its behalf will not have the variables of this shell.
   */
  get placeGiven(): readonly string[] {
    const { home } = this.#given
    const { MUNIMENT_HOME } = this.host.env
    return [
      ...(this.stackGiven ? ['--stack', this.stackId] : []),
      ...(home || MUNIMENT_HOME ? ['--home', this.home] : []),
      ...(this.store === null ? [] : ['--store', this.store]),
    ]
  }

  /** The model that somebody said a program speaks for. */
  get modelGiven(): string | null {
    return this.#given.model ?? (this.host.env.MUNIMENT_MODEL || null)
  }

  /** The model whose words a program writes down; where nobody says, the program is named. */
  modelFor({ client }: Who): string {
    return this.modelGiven ?? `unknown:${client ?? `muniment-cli ${this.host.version()}`}`
  }

  /** Opens the stack for the length of `work`. Only a write makes one that is not there. */
  async withStack<T>(need: 'existing' | 'made', work: (stack: Stack) => Promise<T>): Promise<T> {
    const { stacks } = this.host
    if (need === 'made') await ensureHome(this.home)
    else if (!(await this.hasStack())) throw this.noStack()
    const stack = await stacks.open(this.stackId, this)
    try {
      return await work(stack)
    } finally {
      await stack.close()
    }
  }

  async hasStack(): Promise<boolean> {
    return this.host.stacks.exists(this.stackId, this)
  }

  noStack(): MunimentError {
    const { stackId, home, store } = this
    const which = stackId === 'default' ? '' : ` --stack ${stackId}`
    const place = store === null ? home : 'this store'
    return new MunimentError('not_found', `There is no stack “${stackId}” in ${place} yet.`, {
      hint: `muniment init${which}, or write something first: muniment note "…"${which}`,
    })
  }

  /** Lines for a person while work goes on; a program waits for its one value. */
  say(lines: readonly string[]): void {
    if (!this.isJson) this.host.stdout.write(`${lines.join('\n')}\n`)
  }
}
