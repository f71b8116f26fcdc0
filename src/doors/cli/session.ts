import path from 'node:path'
import { MunimentError, ScopeError } from '../../domain/errors.ts'
import { parseStackId } from '../../domain/ids.ts'
import { type Redactor, redactorOf } from '../../domain/words/secrets.ts'
import type { Trace } from '../../operations/context.ts'
import type { Values } from '../../operations/settings.ts'
import type { Page } from '../../operations/text/page.ts'
import { oneLine } from '../../operations/text/words.ts'
import type { Stack } from '../../stack.ts'
import { ensureHome } from '../access/home.ts'
import { grantOf, isPersons, TokenCache } from '../access/tokens.ts'
import type { Settings } from '../config/settle.ts'
import { assertPersonal, isPersonalName, PERSONAL_STACK } from '../projects/personal-stack.ts'
import { readRegistry } from '../projects/registry.ts'
import { bearerOf, callerAt, type Who } from './caller.ts'
import type { Host, Opening } from './host.ts'

/** The common options, as typed. */
export interface CommonGiven {
  readonly stack?: string
  readonly home?: string
  readonly store?: string
  readonly session?: string
  readonly token?: string
  readonly model?: string
  readonly config?: string
  readonly project?: string
  readonly verbose?: true
}

export interface Setting {
  readonly given: CommonGiven
  readonly settings: Settings
  readonly page: Page
  readonly isJson: boolean
}

/** The stack must exist, or is made on demand. */
export type Need = 'existing' | 'made'

/** A single run of a command: the stack, the home, the caller. */
export class Session {
  readonly host: Host
  readonly page: Page
  readonly isJson: boolean
  #home: string | null = null
  /** The address of a store; null for files in the home folder. */
  readonly store: string | null
  readonly #stackId: string
  readonly sessionId: string | null
  readonly settings: Settings
  readonly #given: CommonGiven

  constructor(host: Host, { given, settings, page, isJson }: Setting) {
    this.host = host
    this.page = page
    this.isJson = isJson
    this.settings = settings
    this.#given = given
    this.store = settings.values.store
    this.#stackId = parseStackId(this.stackGiven ?? settings.binding?.stack ?? 'default')
    this.sessionId = given.session ?? null
  }

  /** The stack of this call. Throws where a project was asked for and none is bound. */
  get stackId(): string {
    if (this.settings.isUnbound) throw notBound(this.settings.projectFolder)
    return this.#stackId
  }

  /** The reason for using this stack, as the rest of a sentence. */
  get stackBecause(): string {
    const { from, where } = this.settings.origins.stack
    if (from === 'project') return `the project ${where} is bound to it`
    if (from === 'default') return 'no project is bound to this folder'
    return `${where} names it`
  }

  /** Tells a person about a stack named by a file in the folder without consent. */
  get unagreedNotice(): string {
    const { unagreed, isUnbound } = this.settings
    if (unagreed === null || this.stackOfCall !== null) return ''
    const used = isUnbound ? '' : ` This call uses “${this.#stackId}”: ${this.stackBecause}.`
    return (
      `muniment: ${unagreed.file} names the stack “${unagreed.stack}”, and you have not agreed. ` +
      `The file’s choice is ignored.${used}\n  To agree, in a terminal of your own: muniment stacks agree\n`
    )
  }

  /** Tells of a bad file in the folder, in whose place the usual settings hold. */
  get ignoredNotice(): string {
    const { ignored } = this.settings
    return ignored === null ? '' : `muniment: ${oneLine(ignored.why)} It is ignored.\n`
  }

  /** The home folder; not every command needs a home. */
  get home(): string {
    const { folder, defaultHome } = this.host
    this.#home ??= path.resolve(folder, this.values.home ?? defaultHome())
    return this.#home
  }

  /** Removes secrets before writing: known shapes, and those of the settings. */
  get redact(): Redactor {
    return redactorOf(this.values.redact)
  }

  /** Traces calls; the code is loaded only with tracing on. */
  async trace(): Promise<Trace | undefined> {
    const { traces } = this.values
    if (traces === 'off') return undefined
    return (await import('../trace.ts')).loadTrace(traces, this.host.version())
  }

  get values(): Values {
    return this.settings.values
  }

  /** The caller, as far as the program can check. An unknown token is refused here. */
  async who(): Promise<Who> {
    const { token } = this.values
    if (token === null) return this.whoWithout()
    const row = await new TokenCache(this.home).rowOf(token, this.host.now())
    if (row.stacks !== null && !row.stacks.includes(this.stackId)) {
      throw new ScopeError(`The token “${row.name}” does not open the stack “${this.stackId}”.`, {
        hint: `It opens ${row.stacks.join(', ')}: --stack <id>`,
        facts: { about: 'token' },
      })
    }
    return bearerOf({ name: row.name, isPerson: isPersons(row), grant: grantOf(row) })
  }

  /** The caller by terminal and environment alone. */
  whoWithout(): Who {
    const { stdin, stdout, stderr, env } = this.host
    return callerAt({
      stdinIsTerminal: stdin.isTerminal,
      stdoutIsTerminal: stdout.isTerminal,
      stderrIsTerminal: stderr.isTerminal,
      env,
    })
  }

  /** The stack named by this call, its environment or a file. */
  get stackGiven(): string | null {
    return this.values.stack
  }

  /** The stack named by this very call, by option or variable. */
  get stackOfCall(): string | null {
    return this.#isOfCall('stack') ? this.#stackId : null
  }

  #isOfCall(name: 'stack' | 'home' | 'store'): boolean {
    const { from } = this.settings.origins[name]
    return from === 'flag' || from === 'environment'
  }

  /**
   * The home as options, where this call named a home by option or variable: callers on its behalf
   * lack this shell's variables.
   */
  get homeGiven(): readonly string[] {
    const config = this.#given.config ?? (this.host.env.MUNIMENT_CONFIG || undefined)
    return [
      ...(this.#isOfCall('home') ? ['--home', this.home] : []),
      ...(this.#isOfCall('store') && this.store !== null ? ['--store', this.store] : []),
      ...(config === undefined ? [] : ['--config', path.resolve(this.host.folder, config)]),
    ]
  }

  get modelGiven(): string | null {
    return this.values.model
  }

  /** The model behind a program's words; without a named model, the program's own name. */
  modelFor({ client }: Who): string {
    return this.modelGiven ?? `unknown:${client ?? `muniment-cli ${this.host.version()}`}`
  }

  get readsPersonal(): boolean {
    return this.settings.binding?.readsPersonal === true
  }

  /**
   * Opens the personal stack for the length of `work`; null where this project may not read the
   * personal stack.
   */
  async withPersonal<T>(work: (personal: Stack | null) => Promise<T>): Promise<T> {
    const { stacks } = this.host
    if (!this.readsPersonal || !(await stacks.exists(PERSONAL_STACK, this))) return work(null)
    const personal = await stacks.open(PERSONAL_STACK, this)
    try {
      return await work(personal)
    } finally {
      await personal.close()
    }
  }

  /** Opens the stack for the length of `work`. Only a write makes a missing stack. */
  async withStack<T>(
    need: Need,
    work: (stack: Stack) => Promise<T>,
    how: Opening = {},
  ): Promise<T> {
    const { stacks } = this.host
    await this.assertMayOpen()
    if (need === 'made') ensureHome(this.home)
    else if (!(await this.hasStack())) throw await this.noStack()
    const stack = await stacks.open(this.stackId, this, how)
    try {
      return await work(stack)
    } finally {
      await stack.close()
    }
  }

  /**
   * Only a person opens the personal stack; commands that copy or clean whole files check this too.
   */
  async assertMayOpen(): Promise<void> {
    if (isPersonalName(this.stackId)) assertPersonal(this.stackId, (await this.who()).person)
  }

  async hasStack(): Promise<boolean> {
    return this.host.stacks.exists(this.stackId, this)
  }

  /** The stack and the home as named by this call, to append to the next command. */
  get which(): string {
    const { home: homeFrom, stack } = this.settings.origins
    const home = homeFrom.from === 'flag' ? ` --home ${quoted(this.#given.home ?? this.home)}` : ''
    const isFound = stack.from === 'project' || this.stackId === 'default'
    return `${isFound ? '' : ` --stack ${this.stackId}`}${home}`
  }

  async noStack(): Promise<MunimentError> {
    const { stackId, home, store, which } = this
    const place = store === null ? home : 'this store'
    const named = (await readRegistry(home)).names.find(({ name }) => name === stackId)
    if (named !== undefined) {
      return new MunimentError('not_found', `No stack has the id “${stackId}”; it is a name.`, {
        hint: `The stack of that name: --stack ${named.stack} (muniment stacks lists names and ids)`,
      })
    }
    return new MunimentError('not_found', `There is no stack “${stackId}” in ${place} yet.`, {
      hint: `muniment init${which}, or write something first: muniment note "…"${which}`,
    })
  }

  /** Prints lines for a person while work goes on; a program waits for its single value. */
  say(lines: readonly string[]): void {
    if (!this.isJson) this.host.stdout.write(`${lines.join('\n')}\n`)
  }
}

/** A word as a shell takes it, for commands that a person may copy. */
export const quoted = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const notBound = (folder: string): MunimentError =>
  new MunimentError(
    'scope',
    `No stack is bound to the project in ${folder}, so that nothing is read or written. The folder was copied, moved or cloned, or its stack was unbound.`,
    {
      hint: 'In that folder: muniment setup <client> makes a stack for it; muniment stacks bind <stack> takes up one that is there (muniment stacks lists them).',
      facts: { folder },
    },
  )
