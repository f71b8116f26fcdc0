import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createToken, digestOf, newToken, tokensFile } from '../../src/doors/access/tokens.ts'
import { scratch } from '../cli/support/scratch.ts'
import { holds } from '../support/holds.ts'
import { served } from './support/server.ts'

const ROW = { id: '0a1b2c3d', name: 'laptop', createdAt: '2026-01-01T00:00:00.000Z' }
const SCOPE = { stacks: ['default'], labels: ['ModelDerived'], tier: 1, expiresAt: null }

describe('a row of the tokens that cannot be read', () => {
  const shownWith = async (scope: object) => {
    const server = await served()
    const token = newToken()
    const tokens = [{ ...ROW, sha256: digestOf(token), ...scope }]
    writeFileSync(tokensFile(server.home), JSON.stringify({ v: 1, tokens }), { mode: 0o600 })
    return { ...(await server.ask('/v1/session', { token })), home: server.home }
  }

  test('is not taken for a wider one', async () => {
    const { labels, stacks } = SCOPE
    const unfit = [{ labels }, { stacks }, { ...SCOPE, expiresAt: 'next week' }]
    for (const scope of unfit) {
      const { status, text, home } = await shownWith(scope)
      expect(status, JSON.stringify(scope)).toBe(500)
      expect(text).not.toContain(home)
    }
  })

  test('while a whole one is what it says, and one from before scopes is personal', async () => {
    expect((await shownWith(SCOPE)).json).toMatchObject({ person: false, stacks: ['default'] })
    expect((await shownWith({})).json).toMatchObject({ person: true, stacks: null })
  })
})

holds(
  'PROV-DOOR',
  'no program’s token has the name by which provenance knows a person',
  async () => {
    const home = scratch()
    const { createdAt } = ROW
    for (const name of ['user', 'User', 'model', 'tool']) {
      await expect(
        createToken(home, { name, createdAt, ...SCOPE_OF_PROGRAM }),
      ).rejects.toMatchObject({
        code: 'invalid_input',
      })
    }
    const { row } = await createToken(home, { name: 'user', createdAt }) // a person’s own may
    const named = createToken(home, { name: row.id, createdAt, ...SCOPE_OF_PROGRAM })
    await expect(named).rejects.toMatchObject({ code: 'id_exists' }) // it would be revoked for it
  },
)

const SCOPE_OF_PROGRAM = { labels: ['ModelDerived'], tier: 1 } as const
