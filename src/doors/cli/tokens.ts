import { createHash, randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { MunimentError, ScopeError } from '../../domain/errors.ts'
import { ensureHome, modeOf, modeText } from './home.ts'

/** A personal token as it is kept: never the token itself. */
export interface TokenRow {
  readonly id: string
  readonly name: string
  readonly sha256: string
  readonly createdAt: string
}

const TOKEN_BYTES = 32
const ID_BYTES = 4
const PRIVATE_FILE = 0o600
const OTHERS_MAY_WRITE = 0o022

export const tokensFile = (home: string): string => path.join(home, 'tokens.json')

const digest = (token: string): string => createHash('sha256').update(token).digest('hex')

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
    if (Array.isArray(tokens) && tokens.every(isRow)) return tokens
  } catch (cause) {
    throw unreadable(home, cause)
  }
  throw unreadable(home)
}

const unreadable = (home: string, cause?: unknown): MunimentError =>
  new MunimentError('store_corrupt', `${tokensFile(home)} cannot be read.`, {
    hint: 'Move it away and make new tokens: muniment token create',
    cause,
  })

function isRow(value: unknown): value is TokenRow {
  if (typeof value !== 'object' || value === null) return false
  const row = value as Record<string, unknown> // each member is looked at here
  return ['id', 'name', 'sha256', 'createdAt'].every((field) => typeof row[field] === 'string')
}

/** Written beside and moved into place, so that a full disk cannot leave half a file. */
async function writeTokens(home: string, tokens: readonly TokenRow[]): Promise<void> {
  await ensureHome(home)
  const file = tokensFile(home)
  const beside = `${file}.${randomBytes(ID_BYTES).toString('hex')}`
  const text = `${JSON.stringify({ v: 1, tokens }, null, 2)}\n`
  try {
    await writeFile(beside, text, { mode: PRIVATE_FILE, flush: true })
    await rename(beside, file)
  } catch (cause) {
    throw new MunimentError('store_unavailable', `${file} cannot be written.`, {
      hint: 'muniment doctor',
      cause,
    })
  }
}

export async function createToken(
  home: string,
  { name, createdAt }: Pick<TokenRow, 'name' | 'createdAt'>,
): Promise<{ readonly row: TokenRow; readonly token: string }> {
  const tokens = await readTokens(home)
  if (tokens.some((row) => row.name === name)) {
    throw new MunimentError('id_exists', `There is a token called ${name} already.`, {
      hint: `muniment token create <another name>, or first: muniment token revoke ${name}`,
    })
  }
  const token = `mun_${randomBytes(TOKEN_BYTES).toString('base64url')}`
  const id = randomBytes(ID_BYTES).toString('hex')
  const row = { id, name, sha256: digest(token), createdAt }
  await writeTokens(home, [...tokens, row])
  return { row, token }
}

export async function revokeToken(home: string, which: string): Promise<TokenRow> {
  const tokens = await readTokens(home)
  const row = tokens.find(({ id, name }) => id === which || name === which)
  if (!row) {
    throw new MunimentError('not_found', `There is no token called ${which}.`, {
      hint: 'muniment token list',
    })
  }
  await writeTokens(
    home,
    tokens.filter(({ id }) => id !== row.id),
  )
  return row
}

/** A token that was shown must be one of this home's: a wrong one is refused, never passed over. */
export async function assertToken(home: string, token: string): Promise<void> {
  const mode = await modeOf(tokensFile(home))
  if (mode !== undefined && (mode & OTHERS_MAY_WRITE) !== 0) {
    throw new ScopeError(`${tokensFile(home)} can be written by others (${modeText(mode)}).`, {
      hint: `chmod 600 ${tokensFile(home)}`,
      facts: { about: 'token' },
    })
  }
  const shown = digest(token)
  const tokens = await readTokens(home)
  if (tokens.some(({ sha256 }) => sha256 === shown)) return
  throw new ScopeError('The token that was shown is not one of this home.', {
    hint: 'muniment token list shows those that are; unset MUNIMENT_TOKEN to go without.',
    facts: { about: 'token' },
  })
}
