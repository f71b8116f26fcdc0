import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import {
  isTier,
  type LabelTiers,
  lowerTier,
  type Tier,
  USES,
  type Use,
} from '../../domain/doors.ts'
import { MunimentError, ScopeError } from '../../domain/errors.ts'
import { LABEL_NAMES, type LabelName } from '../../domain/labels.ts'
import { ensureHome } from './home.ts'
import { alone, assertOwnFile, replacePrivateFile } from './private-file.ts'

export interface TokenScope {
  /** Stacks the token opens; null is every stack of this home. */
  readonly stacks: readonly string[] | null
  /** Labels the bearer may write under. */
  readonly labels: readonly LabelName[]
  /** The highest tier for any label. */
  readonly tier: Tier
  /** The least use the bearer reads for; null leaves the server's own. */
  readonly use: Use | null
  /** The token is invalid from this time on; null never expires. */
  readonly expiresAt: string | null
}

/** A token as stored: its hash, never the token itself. */
export interface TokenRow extends TokenScope {
  readonly id: string
  readonly name: string
  readonly sha256: string
  readonly createdAt: string
}

/** A bearer counts everywhere as the person who made the token. */
export const PERSONAL: TokenScope = {
  stacks: null,
  labels: ['UserAsserted', 'ModelDerived', 'RecallReEntry'],
  tier: 3,
  use: null,
  expiresAt: null,
}

/** The highest tier of each label, whatever the token grants. */
const CEILING: Readonly<Record<LabelName, Tier>> = {
  UserAsserted: 3,
  ExternalFirstHand: 2,
  ModelDerived: 1,
  RecallReEntry: 0,
}

export const grantOf = ({ labels, tier }: TokenScope): LabelTiers =>
  Object.fromEntries(labels.map((name) => [name, lowerTier(CEILING[name], tier)]))

/** Only a bearer who may assert as a user may decide as a user. */
export const isPersons = ({ labels, tier }: TokenScope): boolean =>
  labels.includes('UserAsserted') && tier === CEILING.UserAsserted

const TOKEN_BYTES = 32
const ID_BYTES = 4

export const tokensFile = (home: string): string => path.join(home, 'tokens.json')

export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')

export const newToken = (): string => `mun_${randomBytes(TOKEN_BYTES).toString('base64url')}`

export async function readTokens(home: string): Promise<readonly TokenRow[]> {
  let text: string
  try {
    text = await readFile(tokensFile(home), 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [] // readFile fails with these
    throw unreadable(home, cause)
  }
  try {
    const { tokens } = JSON.parse(text) as { tokens: unknown } // every row is checked below
    if (Array.isArray(tokens)) return tokens.map((row) => rowOf(row, home))
  } catch (cause) {
    throw unreadable(home, cause)
  }
  throw unreadable(home)
}

const unreadable = (home: string, cause?: unknown): MunimentError =>
  new MunimentError('store_corrupt', `${tokensFile(home)} cannot be read.`, {
    hint: 'Move it away and make new tokens: muniment trust token create',
    cause,
  })

/**
 * A row without any scope is a personal token: older versions made only personal tokens. A row with
 * a partial or unreadable scope is refused, because a guess would widen the scope.
 */
function rowOf(value: unknown, home: string): TokenRow {
  const given = Object.keys(PERSONAL).filter((member) => Object.hasOwn(Object(value), member))
  const scope = given.length === 0 ? PERSONAL : {}
  // Rows written before tokens had a use name none.
  const row = { use: null, ...scope, ...Object(value) } as Record<keyof TokenRow, unknown> // looked at here
  const { stacks, labels, tier, use, expiresAt } = row
  const isWhole =
    [row.id, row.name, row.sha256, row.createdAt].every(isText) &&
    (stacks === null || (Array.isArray(stacks) && stacks.every(isText))) &&
    Array.isArray(labels) &&
    labels.every((name) => LABEL_NAMES.includes(name)) &&
    isTier(tier) &&
    (use === null || USES.some((each) => each === use)) &&
    (expiresAt === null || (isText(expiresAt) && Number.isFinite(Date.parse(expiresAt))))
  if (!isWhole) throw unreadable(home)
  return row as unknown as TokenRow // every member was looked at
}

const isText = (value: unknown): value is string => typeof value === 'string'

type Changed<T> = { readonly tokens: readonly TokenRow[]; readonly answer: T }

/** A lock spans reading and writing, so two concurrent changes both take effect. */
async function changeTokens<T>(
  home: string,
  change: (tokens: readonly TokenRow[]) => Changed<T>,
): Promise<T> {
  ensureHome(home)
  return alone(tokensFile(home), async (assertHeld) => {
    const { tokens, answer } = change(await readTokens(home))
    const text = `${JSON.stringify({ v: 1, tokens }, null, 2)}\n`
    await replacePrivateFile(tokensFile(home), text, assertHeld)
    return answer
  })
}

/**
 * Names by which provenance calls callers without a token: no program's token may take such a name.
 */
const ROLES: ReadonlySet<string> = new Set(['user', 'tool', 'model'])

export async function createToken(
  home: string,
  { name, createdAt, ...scope }: Pick<TokenRow, 'name' | 'createdAt'> & Partial<TokenScope>,
): Promise<{ readonly row: TokenRow; readonly token: string }> {
  if (ROLES.has(name.toLowerCase()) && !isPersons({ ...PERSONAL, ...scope })) {
    throw new MunimentError('invalid_input', `No program’s token is called ${name}.`, {
      hint: 'Provenance names its bearer so: take the name of the program.',
    })
  }
  const token = newToken()
  const id = randomBytes(ID_BYTES).toString('hex')
  const row = { ...PERSONAL, ...scope, id, name, sha256: digestOf(token), createdAt }
  return changeTokens(home, (tokens) => {
    if (tokens.some((known) => known.name === name || known.id === name)) {
      throw new MunimentError('id_exists', `There is a token called ${name} already.`, {
        hint: `muniment trust token create <another name>, or first: muniment trust token revoke ${name}`,
      })
    }
    return { tokens: [...tokens, row], answer: { row, token } }
  })
}

export async function revokeToken(home: string, which: string): Promise<TokenRow> {
  return changeTokens(home, (tokens) => {
    const row = tokens.find(({ id, name }) => id === which || name === which)
    if (!row) {
      throw new MunimentError('not_found', `There is no token called ${which}.`, {
        hint: 'muniment trust token list',
      })
    }
    return { tokens: tokens.filter(({ id }) => id !== row.id), answer: row }
  })
}

export const isExpired = ({ expiresAt }: TokenScope, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now

/** The tokens of a home, read again only when their file has changed. */
export class TokenCache {
  readonly #home: string
  #known: { readonly stamp: string; readonly rows: readonly TokenRow[] } | null = null

  constructor(home: string) {
    this.#home = home
  }

  async rows(): Promise<readonly TokenRow[]> {
    const file = await stat(tokensFile(this.#home)).catch(() => null)
    const stamp = file === null ? '' : `${file.ino} ${file.mtimeMs} ${file.size} ${file.mode}`
    if (this.#known?.stamp === stamp) return this.#known.rows
    if (file !== null) await assertOwnFile(tokensFile(this.#home), 'token')
    const rows = await readTokens(this.#home)
    this.#known = { stamp, rows }
    return rows
  }

  /** A wrong token is refused, never ignored. */
  async rowOf(token: string, now: number): Promise<TokenRow> {
    const shown = digestOf(token)
    const row = (await this.rows()).find(({ sha256 }) => sha256 === shown)
    if (row && !isExpired(row, now)) return row
    const what = row ? 'has expired' : 'is not one of this home'
    throw new ScopeError(`The token that was shown ${what}.`, {
      hint: 'muniment trust token list shows those that are; unset MUNIMENT_TOKEN to go without.',
      facts: { about: 'token' },
    })
  }
}
