import { describe, expect, test } from 'vitest'
import { nodeSha256 } from '../../src/compose/node-world.ts'
import { defaultPolicy, openStack } from '../../src/compose/open-stack.ts'
import type { Policy } from '../../src/domain/policy.ts'
import { contentHash } from '../../src/ledger/ledger.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { at, entriesOf, freshStack, opsOf, saying } from './support.ts'

const stricter = (threshold: number): Policy => {
  const policy = defaultPolicy()
  return { ...policy, numbers: { ...policy.numbers, quarantineBurstThreshold: threshold } }
}

/** Says the same note until it is quarantined; how often it was said before that. */
async function patience(stack: Stack): Promise<number> {
  const raw = await stack.write({
    kind: 'raw',
    body: { content: 'x' },
    provenance: saying('ExternalFirstHand'),
  })
  const note = {
    kind: 'note' as const,
    body: { content: 'over and over' },
    provenance: saying('ModelDerived', { derivedFrom: raw.ref ? [raw.ref] : [] }),
  }
  for (let times = 0; times < 50; times += 1) {
    const { disposition } = await stack.write(note)
    if (disposition === 'Quarantined') return times
  }
  return 50
}

describe('the policy that a stack is opened with', () => {
  test('is written whole by genesis, and names itself by its hash', async () => {
    const policy = stricter(2)
    const { stack, store } = await freshStack({ policy })
    await stack.control.setState('ACTIVE')
    const entry = entriesOf(store, stack)[1]
    expect(entry).toMatchObject({ op: 'policy', policy: null, decision: { facts: { policy } } })
    expect(await stack.control.getPolicy()).toEqual({
      policy,
      policyHash: contentHash(nodeSha256, policy),
    })
    expect(await patience(stack)).toBe(2)
  })

  test('must be the one in force when the stack has one already', async () => {
    const store = new MemoryStore()
    const world = fakeWorld(1)
    const first = await openStack('test', { store, ...world, policy: stricter(2) })
    await first.control.setState('ACTIVE')
    const { policyHash } = await first.control.getPolicy()
    await expect(openStack('test', { store, ...world, policy: stricter(3) })).rejects.toMatchObject(
      {
        code: 'policy_differs',
        message: expect.stringContaining(policyHash),
        facts: { inForce: policyHash },
      },
    )
    // The same one, or none at all, is no difference; and none means the one in force.
    await openStack('test', { store, ...world, policy: stricter(2) })
    const again = await openStack('test', { store, ...world })
    expect((await again.control.getPolicy()).policyHash).toBe(policyHash)
    expect(await patience(again)).toBe(2)
  })
})

describe('setPolicy', () => {
  holds(
    'GATE-PURE',
    'is an entry, and from it on the new policy decides and is named',
    async () => {
      const { stack, store } = await freshStack()
      await stack.control.setState('ACTIVE')
      const old = await stack.control.getPolicy()
      const { policyHash, entry } = await stack.control.setPolicy(stricter(1))
      expect(entriesOf(store, stack).at(-1)).toMatchObject({
        seq: entry?.seq,
        op: 'policy',
        policy: old.policyHash,
        door: 'lib',
        decision: { facts: { hash: policyHash } },
      })
      expect(await patience(stack)).toBe(1)
      expect(entriesOf(store, stack).at(-1)?.policy).toBe(policyHash)
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  test('to the one in force writes nothing', async () => {
    const { stack, store } = await freshStack()
    await stack.control.setState('ACTIVE')
    const { policy, policyHash } = await stack.control.getPolicy()
    expect(await stack.control.setPolicy(policy)).toEqual({ policyHash, entry: null })
    expect(opsOf(store, stack)).toEqual(['genesis', 'policy', 'state'])
  })

  test('on a stack without a ledger writes genesis with the old one, and then the new', async () => {
    const { stack, store } = await freshStack()
    await stack.control.setPolicy(stricter(1))
    expect(opsOf(store, stack)).toEqual(['genesis', 'policy', 'policy'])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  holds('PROV-DOOR', 'is for a person or the host, never for a model at a door', async () => {
    const { stack, store } = await freshStack()
    for (const door of ['mcp', 'http', 'cli'] as const) {
      await expect(stack.control.setPolicy(stricter(1), at(door))).rejects.toMatchObject({
        code: 'scope',
      })
    }
    expect(store.rows(stack.stackId).entries).toEqual([])
    await stack.control.setPolicy(stricter(1), at('explorer', { person: true }))
    expect((await stack.control.getPolicy()).policy.numbers.quarantineBurstThreshold).toBe(1)
  })

  holds(
    'PROV-BIRTH',
    'makes papers that name the old one invalid, and says which is in force',
    async () => {
      const { stack } = await freshStack()
      const body = { content: 'x' }
      const { contentHash: ofBody, policyHash: old } = await stack.control.certify('raw', body)
      const { policyHash } = await stack.control.setPolicy(stricter(1))
      const provenance = {
        ...saying('ExternalFirstHand'),
        trustTier: 2,
        contentHash: ofBody,
      } as const
      await expect(
        stack.saveRaw({ ...body, provenance: { ...provenance, policyHash: old } }),
      ).rejects.toMatchObject({
        issues: [{ path: 'policyHash', message: expect.stringContaining(policyHash) }],
      })
      await stack.saveRaw({ ...body, provenance: { ...provenance, policyHash } })
    },
  )
})
