import { randomBytes } from 'node:crypto'
import { type Caller, type LabelTiers, stricterUse, type Use } from '../../domain/doors.ts'
import { ScopeError } from '../../domain/errors.ts'
import {
  digestOf,
  grantOf,
  isPersons,
  newToken,
  TokenCache,
  type TokenRow,
} from '../access/tokens.ts'
import { isPersonalName } from '../projects/personal-stack.ts'
import { HttpError } from './problem.ts'

/** The caller by credentials; a request's body has no say. */
export interface Access {
  /** The key for this caller's limits and sessions. */
  readonly id: string
  readonly door: 'http' | 'explorer'
  readonly person: boolean
  readonly grant: LabelTiers | null
  /** Reachable stacks; null is every served stack. */
  readonly stacks: readonly string[] | null
  /** The caller's name in provenance, after the stack's name. */
  readonly role: string
  /** The least use of the caller's reads; a person has none. */
  readonly use?: Use
}

/**
 * Callers without a token, where the person allowed them: anyone on the machine, so a model (5.2).
 */
const ANYONE: Access = {
  id: 'anyone',
  door: 'http',
  person: false,
  grant: null,
  stacks: null,
  role: 'model',
}

const SESSION_MS = 12 * 3_600_000
const SESSIONS_MAX = 100
export const LAUNCH_MS = 15 * 60_000 // a token left in a terminal's scrollback soon opens nothing

interface SignedIn {
  readonly access: Access
  readonly until: number
  /** The token of the sign-in; null for the launch token. */
  readonly by: string | null
}

export interface DoorkeeperParts {
  readonly home: string
  readonly now: () => number
  /** Callers without a token are admitted; set by `--allow-anyone-on-loopback`. */
  readonly allowsAnyone: boolean
  /** The least use of callers other than persons. */
  readonly use: Use
}

/** Identifies callers: bearers of tokens, signed-in people, and anyone else. */
export class Doorkeeper {
  readonly #parts: DoorkeeperParts
  readonly #tokens: TokenCache
  readonly #signedIn = new Map<string, SignedIn>()
  #launch: { readonly digest: string; readonly until: number } | null = null

  constructor(parts: DoorkeeperParts) {
    this.#parts = parts
    this.#tokens = new TokenCache(parts.home)
  }

  /**
   * A launch token for the person at the terminal: single use, for a quarter of an hour, while this
   * server runs.
   */
  launchToken(): string {
    const token = newToken()
    this.#launch = { digest: digestOf(token), until: this.#parts.now() + LAUNCH_MS }
    return token
  }

  /**
   * A caller behind a proxy is not on this machine, though the proxy is: a token identifies the
   * caller.
   */
  async accessOf(
    header: string | undefined,
    { isForwarded }: { readonly isForwarded: boolean },
  ): Promise<Access> {
    if (header === undefined) {
      if (this.#parts.allowsAnyone && !isForwarded) return { ...ANYONE, use: this.#parts.use }
      throw unauthorized(new ScopeError('A token is needed here.', { hint: HOW }))
    }
    const [, token] = /^Bearer ([\w.~+/=-]{1,500})$/i.exec(header) ?? []
    if (token === undefined) {
      throw unauthorized(new ScopeError('Authorization is not a bearer token.', { hint: HOW }))
    }
    const session = this.#signedIn.get(digestOf(token))
    if (session === undefined) return accessFor(await this.#rowOf(token), this.#parts.use)
    if (session.until > this.#parts.now() && (await this.#stands(session))) return session.access
    throw unknown()
  }

  /** Revoking a token also ends the sign-ins made with the token. */
  async #stands({ by }: SignedIn): Promise<boolean> {
    return (
      by === null || (await this.#checked((tokens) => tokens.rows())).some(({ id }) => id === by)
    )
  }

  /**
   * A person signs in to the explorer with this server's launch token, or with a personal token.
   * The explorer keeps the new token in the sessionStorage of a tab; the token ends with this
   * server.
   */
  async signIn(token: string): Promise<{ readonly token: string; readonly expiresAt: string }> {
    const isLaunch =
      this.#launch?.digest === digestOf(token) && this.#launch.until > this.#parts.now()
    if (isLaunch) this.#launch = null
    const row = isLaunch ? null : await this.#rowOf(token)
    if (row !== null && !isPersons(row)) {
      throw new ScopeError(`The token “${row.name}” is not a person’s.`, { hint: HOW })
    }
    const until = Math.min(
      this.#parts.now() + SESSION_MS,
      row?.expiresAt ? Date.parse(row.expiresAt) : Number.POSITIVE_INFINITY,
    )
    const made = `mun_s_${randomBytes(32).toString('base64url')}`
    const id = `explorer:${row?.id ?? 'launch'}`
    const access: Access = {
      id,
      door: 'explorer',
      person: true,
      grant: row === null ? null : grantOf(row),
      stacks: row?.stacks ?? null,
      role: 'user',
    }
    this.#makeRoom()
    this.#signedIn.set(digestOf(made), { access, until, by: row?.id ?? null })
    return { token: made, expiresAt: new Date(until).toISOString() }
  }

  signOut(header: string | undefined): void {
    const [, token] = /^Bearer (\S+)$/i.exec(header ?? '') ?? []
    if (token !== undefined) this.#signedIn.delete(digestOf(token))
  }

  #makeRoom(): void {
    for (const [key, { until }] of this.#signedIn) {
      if (until <= this.#parts.now()) this.#signedIn.delete(key)
    }
    const [oldest] = this.#signedIn.keys()
    if (this.#signedIn.size >= SESSIONS_MAX && oldest !== undefined) this.#signedIn.delete(oldest)
  }

  #rowOf(token: string): Promise<TokenRow> {
    return this.#checked((tokens) => tokens.rowOf(token, this.#parts.now()))
  }

  /** Errors about the tokens file name files of this machine; the caller gets a plain refusal. */
  async #checked<T>(look: (tokens: TokenCache) => Promise<T>): Promise<T> {
    try {
      return await look(this.#tokens)
    } catch (error) {
      throw error instanceof ScopeError ? unknown() : error
    }
  }
}

const HOW =
  'Send the header “Authorization: Bearer mun_…”. For a program: the token in the file program-token of the home that is served. For a person: muniment trust token create, in a terminal.'

const unauthorized = (error: ScopeError): HttpError =>
  new HttpError(401, error, { 'www-authenticate': 'Bearer realm="muniment"' })

const unknown = (): HttpError =>
  unauthorized(new ScopeError('The token is not known here, or has expired.', { hint: HOW }))

const accessFor = (row: TokenRow, least: Use): Access => ({
  id: `token:${row.id}`,
  door: 'http',
  person: isPersons(row),
  grant: grantOf(row),
  stacks: row.stacks,
  role: isPersons(row) ? 'user' : row.name,
  ...(isPersons(row) ? {} : { use: stricterUse(least, row.use ?? least) }),
})

export const mayReach = ({ stacks, person }: Access, stackId: string): boolean =>
  (stacks === null || stacks.includes(stackId)) && (person || !isPersonalName(stackId))

export interface Named {
  readonly session: string | null
  readonly turn: string | null
}

export const callerOf = (access: Access, operation: string, { session, turn }: Named): Caller => ({
  door: access.door,
  operation,
  person: access.person,
  grant: access.grant,
  session,
  turn,
  ...(access.use === undefined ? {} : { use: access.use }),
})

/** The public part of a caller's access. */
export const shownAccess = ({ person, door, stacks, grant, role }: Access) => ({
  person,
  door,
  stacks,
  grant,
  role,
})
