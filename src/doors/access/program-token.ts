import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ScopeError } from '../../domain/errors.ts'
import { toInstant } from '../../domain/time.ts'
import { alone } from './alone.ts'
import { ensureHome } from './home.ts'
import { assertOwnFile, replacePrivateFile } from './private-file.ts'
import { createToken, readTokens, revokeToken, type TokenScope, TokenShelf } from './tokens.ts'

/** The name of the token that `serve` makes for the programs of this home. */
export const PROGRAM_TOKEN = 'programs'

/** A program writes as a model does, and may say that it repeats what it read. */
const SCOPE: TokenScope = {
  stacks: null,
  labels: ['ModelDerived', 'RecallReEntry'],
  tier: 1,
  use: null,
  expiresAt: null,
}

export const programTokenFile = (home: string): string => path.join(home, 'program-token')

/** The token for programs: the one in the home while it is valid, otherwise a new one, kept 0600. */
export async function ensureProgramToken(home: string, now: number): Promise<string> {
  ensureHome(home)
  const file = programTokenFile(home)
  return alone(file, async (assertHeld) => {
    const kept = await readProgramToken(home, now)
    if (kept !== null) return kept
    // A row without its file belongs to a token that nobody can hand out again.
    const rows = await readTokens(home)
    if (rows.some(({ name }) => name === PROGRAM_TOKEN)) await revokeToken(home, PROGRAM_TOKEN)
    const createdAt = toInstant(now)
    const { token } = await createToken(home, { name: PROGRAM_TOKEN, createdAt, ...SCOPE })
    await replacePrivateFile(file, `${token}\n`, assertHeld)
    return token
  })
}

/** The token in the home; null where there is none, or the token was revoked. */
export async function readProgramToken(home: string, now: number): Promise<string | null> {
  const file = programTokenFile(home)
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return null
  await assertOwnFile(file, 'token')
  const token = text.trim()
  try {
    const { name } = await new TokenShelf(home).rowOf(token, now)
    return name === PROGRAM_TOKEN ? token : null
  } catch (error) {
    if (error instanceof ScopeError) return null
    throw error
  }
}
