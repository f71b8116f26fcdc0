import { LimitError, MunimentError, ScopeError } from '../../domain/errors.ts'
import { HttpError } from './problem.ts'

export interface GuardParts {
  /** Accepted host names of this server, besides addresses. */
  readonly names: readonly string[]
  /** The server listens on this machine only. */
  readonly isLoopback: boolean
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/i

export interface RequestOrigin {
  readonly host: string
  readonly origin?: string | undefined
  /** A browser's report of the request's origin site. */
  readonly site?: string | undefined
  /** A person opens one of our pages, for example by a link. */
  readonly isPage: boolean
}

/** Sites of our own requests; `none` means a typed address. */
const OUR_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])

/**
 * A page elsewhere can make a browser call this machine under a foreign name (DNS rebinding), or
 * send requests no page of ours made. Foreign names and cross-origin requests are refused. A page
 * on another port of this machine is same-site and still foreign: the page may link to ours and
 * request nothing else, since even reads leave receipts.
 */
export function assertOurs(
  { host, origin, site, isPage }: RequestOrigin,
  { names, isLoopback }: GuardParts,
): void {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  const isOurs = names.includes(name) || LOOPBACK.has(name) || (!isLoopback && ADDRESS.test(name))
  if (!isOurs) {
    throw new HttpError(
      421,
      new ScopeError('This server is not called that.', {
        hint: 'Another name is told to it by: muniment serve --allow-host <name>',
      }),
    )
  }
  const isElsewhere = origin !== undefined && !isSameOrigin(origin, host)
  const isOurSite = site === undefined || OUR_SITES.has(site) || (site === 'same-site' && isPage)
  if (isElsewhere || !isOurSite) throw new ScopeError('A page of another origin may not.')
}

function isSameOrigin(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === host.toLowerCase()
  } catch {
    return false // `null` of a sandboxed page, or no origin at all
  }
}

/** Limits each caller to a burst, then to a number of requests a second. */
export class Rate {
  readonly #perSecond: number
  readonly #burst: number
  readonly #now: () => number
  readonly #left = new Map<string, { readonly count: number; readonly at: number }>()

  constructor(limits: { readonly perSecond: number; readonly burst: number }, now: () => number) {
    this.#perSecond = limits.perSecond
    this.#burst = limits.burst
    this.#now = now
  }

  take(id: string): void {
    const at = this.#now()
    const before = this.#left.get(id) ?? { count: this.#burst, at }
    const gained = (Math.max(0, at - before.at) / 1000) * this.#perSecond
    const count = Math.min(this.#burst, before.count + gained) - 1
    if (count < 0) {
      const seconds = Math.ceil(-count / this.#perSecond)
      throw new HttpError(429, new MunimentError('backpressure', 'Too many requests at once.'), {
        'retry-after': String(seconds),
      })
    }
    if (this.#left.size >= CALLERS_MAX) this.#left.clear()
    this.#left.set(id, { count, at })
  }
}

const CALLERS_MAX = 10_000

/** Limits each caller's concurrent requests: a slow sender holds up only itself. */
export class ConcurrencyLimit {
  readonly #inside = new Map<string, number>()

  async with<T>(id: string, max: number, work: () => Promise<T>): Promise<T> {
    const leave = this.enter(id, max)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** Takes a place for longer than a call; the returned function frees the place. */
  enter(id: string, max: number): () => void {
    const inside = this.#inside.get(id) ?? 0
    if (inside >= max) {
      throw new MunimentError('backpressure', 'Too many requests of one caller are under way.')
    }
    this.#inside.set(id, inside + 1)
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      const left = (this.#inside.get(id) ?? 1) - 1
      if (left === 0) this.#inside.delete(id)
      else this.#inside.set(id, left)
    }
  }
}

/** The body as text, up to a limit. */
export async function readBody(
  request: Request,
  bytesMax: number,
  limit = 'bodyBytesMax',
): Promise<string> {
  const told = Number(request.headers.get('content-length') ?? 0)
  if (told > bytesMax) throw new LimitError(limit, bytesMax, told)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > bytesMax) throw new LimitError(limit, bytesMax, length)
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof LimitError) throw cause
    throw new MunimentError('invalid_input', 'The body did not come whole.', { cause })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw new MunimentError('invalid_json', 'The body is not UTF-8 text.', { cause })
  }
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** A foreign page can send forms and plain text without preflight, so only JSON is taken. */
export function assertJson(type: string | undefined): void {
  if (type !== undefined && JSON_TYPE.test(type)) return
  const error = new MunimentError('invalid_input', 'The body is taken as application/json.', {
    hint: 'Content-Type: application/json',
  })
  throw new HttpError(415, error)
}
