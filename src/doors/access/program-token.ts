import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ScopeError } from '../../domain/errors.ts'
import { toInstant } from '../../domain/time.ts'
import { ensureHome } from './home.ts'
import { alone, assertOwnFile, replacePrivateFile } from './private-file.ts'
import { createToken, readTokens, revokeToken, TokenCache, type TokenScope } from './tokens.ts'

/** Name of the token made by `serve` for the programs of this home. */
export const PROGRAM_TOKEN = 'programs'

/** A program writes as a model does, and may mark repeats of memories. */
const SCOPE: TokenScope = {
  stacks: null,
  labels: ['ModelDerived', 'RecallReEntry'],
  tier: 1,
  use: null,
  expiresAt: null,
}

export const programTokenFile = (home: string): string => path.join(home, 'program-token')

/**
 * Returns the program token of the home while valid, otherwise a new token, kept with mode 0600.
 */
export async function ensureProgramToken(home: string, now: number): Promise<string> {
  ensureHome(home)
  const file = programTokenFile(home)
  return alone(file, async (assertHeld) => {
    const kept = await readProgramToken(home, now)
    if (kept !== null) return kept
    // A row without its file belongs to a token nobody can hand out again.
    const rows = await readTokens(home)
    if (rows.some(({ name }) => name === PROGRAM_TOKEN)) await revokeToken(home, PROGRAM_TOKEN)
    const createdAt = toInstant(now)
    const { token } = await createToken(home, { name: PROGRAM_TOKEN, createdAt, ...SCOPE })
    await replacePrivateFile(file, `${token}\n`, assertHeld)
    return token
  })
}

/** The token in the home; null without a token, or after its revocation. */
export async function readProgramToken(home: string, now: number): Promise<string | null> {
  const file = programTokenFile(home)
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return null
  await assertOwnFile(file, 'token')
  const token = text.trim()
  try {
    const { name } = await new TokenCache(home).rowOf(token, now)
    return name === PROGRAM_TOKEN ? token : null
  } catch (error) {
    if (error instanceof ScopeError) return null
    throw error
  }
}
