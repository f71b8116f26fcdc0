import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { LABEL_NAMES, type LabelName } from '../../src/domain/labels.ts'
import type { TokenScope } from '../../src/doors/access/tokens.ts'
import { connectHttp } from '../http/support/mcp-client.ts'
import { served, type TestServer } from '../http/support/server.ts'
import { holds } from '../support/holds.ts'

const STACKS = ['default', 'other', 'third'] as const

const CEILING: Readonly<Record<LabelName, number>> = {
  UserAsserted: 3,
  ExternalFirstHand: 2,
  ModelDerived: 1,
  RecallReEntry: 0,
}

const scopes: fc.Arbitrary<TokenScope> = fc.record({
  stacks: fc.option(fc.subarray([...STACKS], { minLength: 1 })),
  labels: fc.subarray([...LABEL_NAMES]),
  tier: fc.constantFrom(0, 1, 2, 3),
  use: fc.constant(null),
  expiresAt: fc.constant(null),
})

/** Fields that say of themselves what only a door may say. */
const lies: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.dictionary(
  fc.constantFrom(
    'label',
    'tier',
    'trustTier',
    'actor',
    'caller',
    'grant',
    'person',
    'stack',
    'stackId',
    'session',
    'door',
    'provenance',
    'id',
    '__proto__',
    'constructor',
  ),
  fc.constantFrom<unknown>(
    'UserAsserted',
    3,
    true,
    'other',
    { type: 'External', kind: 'UserAsserted' },
    { door: 'lib', operation: 'x', person: true, grant: null, session: null, turn: null },
    { UserAsserted: 3 },
  ),
  { maxKeys: 2 },
)

const smuggled = fc.oneof(fc.constant({}), lies)

interface Try {
  readonly stack: string
  readonly operation: string
  readonly content: string
  readonly smuggled: Readonly<Record<string, unknown>>
  readonly session: string | null
  readonly byMcp: boolean
}

const tries: fc.Arbitrary<readonly Try[]> = fc.array(
  fc.record({
    stack: fc.constantFrom(...STACKS, 'unheard-of', '../default'),
    operation: fc.constantFrom('note', 'raw', 'claim', 'state', 'maintain', 'policy', 'erase'),
    content: fc.constantFrom('I am the user', 'tier 3', 'mem:UserAsserted', 'x'),
    smuggled,
    session: fc.option(fc.constantFrom('a', 'explorer', 'default:user')),
    byMcp: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

let said = 0

function bodyOf({ operation, content: words, smuggled: more }: Try): object {
  said += 1
  const content = `${words} ${said}` // what was said before would be known already
  switch (operation) {
    case 'claim':
      return { subject: 'user', predicate: 'city', value: content, ...more }
    case 'state':
      return { to: 'MAINTENANCE', ...more }
    case 'policy':
      return { changes: { burstWindowMs: 1 }, ...more }
    case 'erase':
      return { actor: 'default:user', yes: true, ...more }
    case 'maintain':
      return more
    default:
      return { content, ...more }
  }
}

async function attempt(server: TestServer, token: string, one: Try): Promise<number> {
  const headers = one.session === null ? {} : { 'muniment-session': one.session }
  if (!one.byMcp) {
    const path = `/v1/stacks/${encodeURIComponent(one.stack)}/${one.operation}`
    return (await server.ask(path, { token, headers, body: bodyOf(one) })).status
  }
  const name = `${['note', 'raw', 'claim', 'erase'].includes(one.operation) ? 'memory' : 'meta'}_${one.operation}`
  const address = `${server.url}/mcp/${encodeURIComponent(one.stack)}?toolset=full`
  try {
    const client = await connectHttp('v2', address, { token })
    const _meta = { person: true, grant: { UserAsserted: 3 } }
    await client.callTool({ name, arguments: { ...bodyOf(one) }, _meta })
    return 200
  } catch {
    return 400 // a stack that is not there, or not for this token
  }
}

interface Kept {
  readonly label: LabelName
  readonly tier: number
  readonly path: string
}

/** Every memory of every stack, as the ledger has it. */
async function all(server: TestServer): Promise<ReadonlyMap<string, readonly Kept[]>> {
  const found = new Map<string, readonly Kept[]>()
  for (const id of STACKS) {
    const stack = await server.open(id)
    const { entries } = await stack.ledger.entries({ limit: 1_000 })
    const kept = entries.flatMap(({ entry }) => {
      const { op, ref, label, tier, door } = JSON.parse(entry)
      // What a stack notes of its own work is the host's, whoever asked for the work.
      if (op !== 'memory.saved' || ref.startsWith('report:')) return []
      return [{ label: label.kind ?? label.type, tier, path: door }]
    })
    found.set(id, kept)
  }
  return found
}

describe('what a token was given', () => {
  holds(
    'SCOPE-BOUND',
    'is all it reaches, whatever it asks, says of itself or calls its session',
    async () => {
      const server = await served({ use: 'chat' })
      for (const id of STACKS) {
        await server.ask(`/v1/stacks/${id}/note`, { body: { content: 'x' } })
        await (await server.open(id)).control.activate()
      }
      let made = 0
      let written = 0
      await fc.assert(
        fc.asyncProperty(scopes, tries, async (scope, asked) => {
          made += 1
          const token = await server.token(`t${made}`, scope)
          const before = await all(server)
          for (const one of asked) {
            const status = await attempt(server, token, one)
            expect(status, JSON.stringify(one)).toBeLessThan(500)
          }
          for (const [id, kept] of await all(server)) {
            const added = kept.slice(before.get(id)?.length ?? 0)
            written += added.length
            if (scope.stacks !== null && !scope.stacks.includes(id)) expect(added).toEqual([])
            for (const { label, tier, path } of added) {
              expect(scope.labels).toContain(label)
              expect(tier).toBeLessThanOrEqual(Math.min(scope.tier, CEILING[label]))
              if (path === 'mcp') expect(label).not.toBe('UserAsserted')
            }
          }
          for (const id of STACKS) {
            const isPerson = scope.labels.includes('UserAsserted') && scope.tier === 3
            const stack = await server.open(id)
            if (!isPerson) expect(stack.state).toBe('ACTIVE')
            else if (stack.state === 'MAINTENANCE') await stack.control.setState('ACTIVE')
          }
        }),
        { numRuns: 60 },
      )
      expect(written).toBeGreaterThan(4) // the property had something to hold of
    },
    120_000,
  )
})
