import { type Context, Hono } from 'hono'
import type { Use } from '../../domain/doors.ts'
import { MunimentError, once, ScopeError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Redactor } from '../../domain/words/secrets.ts'
import { type Trace, untraced } from '../../operations/context.ts'
import type { Log } from '../log.ts'
import { readRegistry } from '../projects/registry.ts'
import { STOP_MS, within } from '../within.ts'
import { type Access, Doorkeeper, mayReach, shownAccess } from './access.ts'
import { changes, STREAMS_MAX, STREAMS_OF_ONE_MAX } from './changes.ts'
import { ExplorerFiles } from './explorer-files.ts'
import {
  assertJson,
  assertOurs,
  ConcurrencyLimit,
  type GuardParts,
  Rate,
  type RequestOrigin,
  readBody,
} from './guard.ts'
import { McpDoor } from './mcp.ts'
import { Metrics } from './metrics.ts'
import { openApi } from './openapi.ts'
import {
  answerGet,
  answerPost,
  type OperationParts,
  type OperationRequest,
  operationNamed,
} from './operations.ts'
import { docsPage, plainPage, STYLE } from './pages.ts'
import { isFault, problemResponse } from './problem.ts'
import { RequestLease } from './request-lease.ts'
import { OpenStacks, type StackSource } from './stacks.ts'
import { WriteBatcher } from './write-batcher.ts'

export interface AppParts {
  readonly home: string
  readonly version: string
  readonly source: StackSource
  /** The only served stack, or null for all of the home. */
  readonly only: string | null
  readonly usual: string
  readonly guard: GuardParts
  /** Callers without a token are admitted, as a model. */
  readonly allowsAnyone: boolean
  /** The least use of callers other than persons; `plan` unless given. */
  readonly use?: Use
  readonly rate: { readonly perSecond: number; readonly burst: number }
  /** The wait for an operation before its caller gets a “takes longer” answer. */
  readonly answerMs: number
  /** The folder of the explorer's files, which may be missing. */
  readonly explorer: string
  readonly now: () => number
  readonly parseJson: (text: string) => unknown
  readonly log: Log
  /** Removes secrets from incoming words. */
  readonly redact: Redactor
  /** Traces every call; off by default. */
  readonly trace?: Trace
  /** The wait for running calls when the server stops; ten seconds unless given. */
  readonly stopMs?: number
  /** Called after a sign-in, so that a spent launch token can be followed by the next. */
  readonly onLaunch?: () => void
}

type Env = { readonly Variables: { access: Access; route: string; lease: RequestLease } }
type Ctx = Context<Env>

const IN_FLIGHT_MAX = 1_000
const OF_ONE_MAX = 256 // concurrent requests of a caller
const SIGN_INS_MAX = 16 // concurrent requests of all unidentified callers
const JSON_TYPE = { 'content-type': 'application/json', 'cache-control': 'no-cache' } as const
const PLAIN = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' } as const

/** Headers by which a proxy reveals forwarded requests. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

/** Headers of every response: our pages load nothing from elsewhere and stand in no frame. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** The HTTP door: translates to and from the table of operations, and decides nothing else. */
export class HttpDoor {
  readonly #parts: AppParts
  readonly #metrics = new Metrics()
  readonly #stopping = new AbortController()
  readonly #stacks: OpenStacks
  readonly #keeper: Doorkeeper
  readonly #rate: Rate
  readonly #limit = new ConcurrencyLimit()
  readonly #streams = new ConcurrencyLimit()
  readonly #mcp: McpDoor
  readonly #files: ExplorerFiles
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #operations: OperationParts
  /** Made once: anyone may ask for these texts, and making them is work. */
  readonly #words = {
    openapi: once(() => JSON.stringify(openApi(this.#parts.version))),
    docs: once(() => docsPage(this.#parts.version)),
  }
  readonly app: Hono<Env>
  readonly writeBatcher = new WriteBatcher()

  constructor(parts: AppParts) {
    this.#parts = parts
    const { source, only, usual, home, now, allowsAnyone, version, log, parseJson, redact } = parts
    const { trace = untraced } = parts
    this.#stacks = new OpenStacks(source, { only, usual })
    const { use = 'plan' } = parts
    this.#keeper = new Doorkeeper({ home, now, allowsAnyone, use })
    this.#rate = new Rate(parts.rate, now)
    this.#files = new ExplorerFiles(parts.explorer)
    this.#operations = {
      stacks: this.#stacks,
      writeBatcher: this.writeBatcher,
      parseJson,
      now,
      redact,
      trace,
    }
    const underWay = (call: Promise<unknown>): void => this.#goesOn(call)
    this.#mcp = new McpDoor({
      stacks: this.#stacks,
      version,
      log,
      underWay,
      now,
      redact,
      trace,
      use,
    })
    this.app = this.#routes()
  }

  /** Registers a running call, so `stop` waits for its end. */
  #goesOn(call: Promise<unknown>): void {
    this.#underWay.add(call)
    const over = (): void => void this.#underWay.delete(call)
    call.then(over, over)
  }

  get stopMs(): number {
    return this.#parts.stopMs ?? STOP_MS
  }

  /** The single-use token for the person at the terminal. */
  launchToken(): string {
    return this.#keeper.launchToken()
  }

  #routes(): Hono<Env> {
    const app = new Hono<Env>({ strict: false })
    app.onError((error) => this.#failed(error))
    app.notFound(() => problemResponse(new MunimentError('not_found', 'There is nothing here.')))
    app.use(async (c, next) => this.#timed(c, next))
    app.get('/healthz', (c) =>
      named(c, 'healthz').json({ status: 'ok', version: this.#parts.version }),
    )
    app.get('/openapi.json', (c) => named(c, 'openapi').body(this.#words.openapi(), 200, JSON_TYPE))
    app.get('/docs', (c) => named(c, 'docs').body(this.#words.docs(), 200, PLAIN))
    app.get('/docs/style.css', (c) =>
      named(c, 'docs').body(STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }),
    )
    app.use('/metrics', async (c, next) => this.#known(c, next))
    app.get('/metrics', (c) =>
      named(c, 'metrics').text(this.#metrics.text({ stacks_open: this.#stacks.openCount })),
    )
    app.post('/v1/session', async (c) => this.#signIn(named(c, 'session')))
    app.delete('/v1/session', (c) => {
      this.#keeper.signOut(named(c, 'session').req.header('authorization'))
      return c.body(null, 204)
    })
    app.use('/v1/*', async (c, next) => this.#known(c, next))
    app.get('/v1/session', (c) => named(c, 'session').json(shownAccess(c.get('access'))))
    app.get('/v1/stacks', async (c) => named(c, 'stacks').json(await this.#listed(c.get('access'))))
    app.post('/v1/stacks', async (c) => this.#made(named(c, 'stacks')))
    app.use('/v1/stacks/*', async (c, next) => this.#inTime(c, next))
    app.get('/v1/stacks/:stack/changes', async (c) => {
      const { stackId } = this.#asked(named(c, 'changes'))
      return this.#changes(c, stackId)
    })
    app.get('/v1/stacks/:stack/:operation', async (c) => {
      const name = operationNamed(c.req.param('operation'))
      return answerGet(named(c, name), { ...this.#asked(c), name }, this.#operations)
    })
    app.post('/v1/stacks/:stack/:operation', async (c) => {
      const name = operationNamed(c.req.param('operation'))
      return answerPost(named(c, name), { ...this.#asked(c), name }, this.#operations)
    })
    const mcp = async (c: Ctx): Promise<Response> => {
      const access = named(c, 'mcp').get('access')
      const stackId = c.req.param('stack') ?? this.#stacks.usual
      const toolset = c.req.query('toolset') === 'full' ? 'full' : 'default'
      return this.#mcp.answer(c.req.raw, { access, stackId, toolset })
    }
    for (const path of ['/mcp', '/mcp/:stack']) {
      app.use(path, async (c, next) => this.#known(c, next))
      app.all(path, mcp)
    }
    app.get('*', async (c) => this.#file(named(c, 'files')))
    return app
  }

  /** Wraps every request: names, origins, concurrency, duration. */
  async #timed(c: Ctx, next: () => Promise<void>): Promise<void> {
    const started = performance.now()
    const lease = new RequestLease()
    this.#metrics.inFlight += 1
    lease.holds(() => {
      this.#metrics.inFlight -= 1
    })
    c.set('lease', lease)
    c.set('route', 'none')
    try {
      assertOurs(requestOriginOf(c), this.#parts.guard)
      if (this.#metrics.inFlight > IN_FLIGHT_MAX) {
        throw new MunimentError('backpressure', 'Too many requests are under way.')
      }
      if (this.#stopping.signal.aborted) {
        throw new MunimentError('stack_closed', 'The server is stopping.')
      }
      await next()
    } catch (error) {
      c.res = this.#failed(error)
    } finally {
      lease.end()
    }
    for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value)
    const seconds = (performance.now() - started) / 1000
    this.#metrics.seen(c.get('route'), { status: c.res.status, seconds })
    const { method } = c.req
    this.#parts.log.debug(
      `${method} ${c.get('route')} ${c.res.status} ${Math.round(seconds * 1000)} ms`,
    )
  }

  /** Identifies the caller; an invalid token is an error, never an anonymous caller. */
  async #known(c: Ctx, next: () => Promise<void>): Promise<void> {
    const access = await this.#accessOf(c).catch((error) => {
      this.#rate.take('unknown') // guesses share one rate limit
      throw error
    })
    this.#rate.take(access.id)
    c.set('access', access)
    c.get('lease').holds(this.#limit.enter(access.id, OF_ONE_MAX))
    await next()
  }

  /** A slow operation answers its caller early; the work keeps its place under the limit. */
  #inTime(c: Ctx, next: () => Promise<void>): Promise<void> {
    const { answerMs, log } = this.#parts
    return c.get('lease').within(answerMs, next(), (work) => {
      this.#metrics.late += 1
      const over = (): void => {
        this.#metrics.late -= 1
      }
      work.then(over, over)
      this.#goesOn(work)
      log.info(`${c.req.method} ${c.get('route')}: no answer within ${answerMs} ms; it goes on`)
    })
  }

  #accessOf(c: Ctx): Promise<Access> {
    const isForwarded = FORWARDED.some((name) => c.req.header(name) !== undefined)
    return this.#keeper.accessOf(c.req.header('authorization'), { isForwarded })
  }

  #asked(c: Ctx): Pick<OperationRequest, 'access' | 'stackId' | 'late'> {
    const access = c.get('access')
    const stackId = c.req.param('stack') ?? this.#stacks.usual
    // A token gets 404 for stacks outside its scope.
    if (mayReach(access, stackId)) return { access, stackId, late: c.get('lease').late }
    throw new MunimentError('not_found', `There is no stack “${stackId}” here.`, {
      hint: 'GET /v1/stacks lists those that are.',
    })
  }

  async #listed(
    access: Access,
  ): Promise<{ readonly stacks: readonly object[]; readonly usual: string }> {
    const ids = (await this.#stacks.list()).filter((id) => mayReach(access, id))
    const { names } = await readRegistry(this.#parts.home)
    const stacks = ids.map((id) => {
      const named = names.find(({ stack }) => stack === id)
      return named === undefined ? { id } : { id, name: named.name }
    })
    return { stacks, usual: this.#stacks.usual }
  }

  async #changes(c: Ctx, stackId: string): Promise<Response> {
    if (this.#metrics.streams >= STREAMS_MAX) {
      throw new MunimentError('backpressure', 'Too many streams are open.')
    }
    const leave = this.#streams.enter(c.get('access').id, STREAMS_OF_ONE_MAX)
    const hold = await this.#stacks.hold(stackId).catch((error) => {
      leave()
      throw error
    })
    try {
      const mayRead = () => this.#accessOf(c).then(Boolean, () => false)
      const parts = {
        metrics: this.#metrics,
        stopping: this.#stopping.signal,
        mayRead,
        onOver: leave,
      }
      return await changes(c, hold, parts)
    } catch (error) {
      leave()
      hold.release()
      throw error
    }
  }

  async #made(c: Ctx): Promise<Response> {
    const access = c.get('access')
    if (!access.person) throw new ScopeError('A stack is made by a person.')
    const { id } = await this.#json(c, ['id'])
    if (!mayReach(access, id ?? '')) throw new ScopeError('That stack is not for this token.')
    await this.#stacks.make(id ?? '')
    return c.json({ id }, 201)
  }

  async #signIn(c: Ctx): Promise<Response> {
    this.#rate.take('sign-in')
    const { token } = await this.#limit.with('sign-in', SIGN_INS_MAX, () =>
      this.#json(c, ['token']),
    )
    const signedIn = await this.#keeper.signIn(token ?? '')
    this.#parts.onLaunch?.()
    return c.json(signedIn, 201, { 'cache-control': 'no-store' })
  }

  async #json(c: Ctx, fields: readonly string[]): Promise<Readonly<Record<string, string>>> {
    assertJson(c.req.header('content-type'))
    const value = Object(this.#parts.parseJson(await readBody(c.req.raw, LIMITS.shortTextCharsMax)))
    const isFit = fields.every((field) => typeof value[field] === 'string')
    if (isFit && Object.keys(value).length === fields.length) return value
    throw new MunimentError('invalid_input', `The body has these fields: ${fields.join(', ')}.`)
  }

  async #file(c: Ctx): Promise<Response> {
    const found = await this.#files.answer(c.req.path)
    if (found) return found
    if (c.req.path === '/') return c.body(plainPage(this.#parts.version), 200, PLAIN)
    const isBrowser = c.req.header('accept')?.includes('text/html') === true
    const page = isBrowser && !NO_PAGE.test(c.req.path) ? await this.#files.notFoundPage() : null
    if (page) return page
    throw new MunimentError('not_found', 'There is nothing here.')
  }

  #failed(error: unknown): Response {
    if (isFault(error)) {
      this.#parts.log.error(`fault: ${error instanceof Error ? error.stack : String(error)}`)
    }
    return problemResponse(error)
  }

  /** Accepts nothing new, ends streams, and waits for running tools. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await within(this.stopMs, Promise.allSettled(this.#underWay))
    await this.#mcp.close()
  }

  /**
   * Acknowledged writes are in the ledger before this returns; a hanging call was never
   * acknowledged.
   */
  async close(): Promise<void> {
    await this.stop()
    await within(this.stopMs, this.#stacks.close())
  }
}

/** Paths for programs; all others are pages and their files. */
const NO_PAGE = /^\/(?:v1|mcp|metrics)(?:\/|$)/

function requestOriginOf({ req }: Ctx): RequestOrigin {
  const isPage = req.header('sec-fetch-mode') === 'navigate' && !NO_PAGE.test(req.path)
  const [host = '', origin, site] = ['host', 'origin', 'sec-fetch-site'].map((name) =>
    req.header(name),
  )
  return { host, origin, site, isPage }
}

/** Sets the route's name for metrics. */
function named(c: Ctx, route: string): Ctx {
  c.set('route', route)
  return c
}
