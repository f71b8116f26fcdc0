import { describe, expect } from 'vitest'
import type { Entry } from '../../src/domain/entry.ts'
import type { Ref } from '../../src/domain/ids.ts'
import { label } from '../../src/index.ts'
import { forge } from '../stack/forger.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

/** Ann says where she lived; a model reasons about both claims, and on from there. */
async function reasonedStack() {
  const fresh = await freshStack()
  const { stack } = fresh
  const claim = async (value: string): Promise<Ref> => {
    const own = { subject: 'user', predicate: 'city', value, provenance: label.userAsserted() }
    return (await stack.claims.ingest(own, { actor: 'ann', caller: at('lib') })).claimRef as Ref
  }
  const belief = async (
    statement: string,
    from: readonly Ref[],
    by: 'ModelDerived' | 'UserAsserted' = 'ModelDerived',
  ): Promise<Ref> => {
    const provenance = saying(by, { sourceId: 'eve', derivedFrom: [...from] })
    const draft = { kind: 'belief', body: { statement }, provenance } as const
    return (await stack.write(draft, at('lib'))).ref as Ref
  }
  const dispositionOf = async (ref: Ref) => {
    const memory = await stack.getMemory('belief', ref.slice('belief:'.length))
    return memory?.disposition
  }
  return { ...fresh, claim, belief, dispositionOf }
}

describe('a source is erased', () => {
  holds(
    'FIREWALL-DISTRUST',
    'what is left with distrusted sources alone is distrusted with the erasure',
    async () => {
      const { stack, store, claim, belief, dispositionOf } = await reasonedStack()
      const [berlin, rome] = [await claim('Berlin'), await claim('Rome')]
      const both = await belief('Ann moves south every year', [rome, berlin])
      await stack.sources.distrust(rome)
      expect(await dispositionOf(both)).toBe('CommittedInferred')
      await stack.erasure.erase(berlin)
      expect(await dispositionOf(both)).toBe('Distrusted')
      const entries = entriesOf(store, stack)
      const erased = entries.find(({ op, ref }) => op === 'memory.erased' && ref === berlin)
      const fallen = entries.find(({ op, ref }) => op === 'memory.distrusted' && ref === both)
      expect(fallen?.decision.facts).toEqual({ why: 'ground' })
      expect(fallen?.unit).toBe(erased?.unit)
      expect((await stack.ledger.audit()).problems).toEqual([])
      await stack.sources.distrust({ actor: 'ann' })
      expect((await stack.ledger.audit()).problems).toEqual([])
      await stack.sources.trust({ actor: 'ann' })
      expect(await dispositionOf(both)).toBe('Distrusted')
      await stack.sources.trust(rome)
      expect(await dispositionOf(both)).toBe('CommittedInferred')
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds(
    'FIREWALL-DISTRUST',
    'what has another believed source, or was said by a person, keeps its belief',
    async () => {
      const { stack, claim, belief, dispositionOf } = await reasonedStack()
      const [berlin, rome, oslo] = [await claim('Berlin'), await claim('Rome'), await claim('Oslo')]
      const wide = await belief('Ann has seen three towns', [rome, berlin, oslo])
      const said = await belief('Ann likes the sun', [rome, berlin], 'UserAsserted')
      await stack.sources.distrust(rome)
      await stack.erasure.erase(berlin)
      expect(await dispositionOf(wide)).toBe('CommittedInferred')
      expect(await dispositionOf(said)).toBe('CommittedCheap')
      await stack.erasure.erase(oslo)
      expect(await dispositionOf(wide)).toBe('Distrusted')
      expect(await dispositionOf(said)).toBe('CommittedCheap')
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds(
    'FIREWALL-DISTRUST',
    'erasing a distrusted source brings nothing back that was reasoned from it',
    async () => {
      const { stack, claim, belief, dispositionOf } = await reasonedStack()
      const rome = await claim('Rome')
      const alone = await belief('Ann moves south every year', [rome])
      await stack.sources.distrust(rome)
      expect(await dispositionOf(alone)).toBe('Distrusted')
      await stack.erasure.erase(rome)
      expect(await dispositionOf(alone)).toBe('Distrusted')
      await stack.sources.distrust({ actor: 'eve' })
      await stack.sources.trust({ actor: 'eve' })
      expect(await dispositionOf(alone)).toBe('Distrusted')
      expect((await stack.ledger.audit()).problems).toEqual([])
      await stack.ledger.rebuild()
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds(
    ['FIREWALL-DISTRUST', 'LEDGER-DETECT'],
    'the audit finds a ledger that leaves the fall out, and one that makes another fall',
    async () => {
      const { stack, store, claim, belief } = await reasonedStack()
      const [berlin, rome] = [await claim('Berlin'), await claim('Rome')]
      const both = await belief('Ann moves south every year', [rome, berlin])
      const free = await belief('Ann has a suitcase', [await claim('Oslo')])
      await stack.sources.distrust(rome)
      await stack.erasure.erase(berlin)
      expect((await stack.ledger.audit()).problems).toEqual([])
      const rows = store.rows(stack.stackId)
      const original = rows.entries
      const isFall = ({ op, ref }: Entry): boolean => op === 'memory.distrusted' && ref === both
      forge(rows, (entries) => entries.filter((entry) => !isFall(entry)))
      const details = async () => (await stack.ledger.audit()).problems.map(({ detail }) => detail)
      expect(await details()).toContain(
        `${both} is left with distrusted sources alone, and keeps its belief`,
      )
      rows.entries = original
      forge(rows, (entries) =>
        entries.map((entry) => (isFall(entry) ? { ...entry, ref: free } : entry)),
      )
      expect(await details()).toContain('rests on more than what is distrusted')
    },
  )

  holds('FIREWALL-DISTRUST', 'what was reasoned from what falls, falls too', async () => {
    const { stack, dispositionOf, belief } = await reasonedStack()
    const raw = async (content: string): Promise<Ref> => {
      const provenance = saying('UserAsserted', { sourceId: 'ann' })
      return (await stack.write({ kind: 'raw', body: { content }, provenance }, at('lib')))
        .ref as Ref
    }
    const [bad, good] = [await raw('The moon is made of cheese'), await raw('The moon is bright')]
    const provenance = saying('ModelDerived', { sourceId: 'eve', derivedFrom: [bad, good] })
    const body = { content: 'The moon is a bright cheese' }
    const note = (await stack.write({ kind: 'note', body, provenance }, at('lib'))).ref as Ref
    const last = await belief('Cheese shines at night', [note])
    await stack.sources.distrust(bad)
    expect(await dispositionOf(last)).toBe('CommittedInferred')
    await stack.erasure.erase(good)
    expect(await dispositionOf(last)).toBe('Distrusted')
    expect((await stack.ledger.audit()).problems).toEqual([])
  })
})
