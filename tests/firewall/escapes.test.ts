import { expect } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { at, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { PREFERENCE, TEMPLATES } from './preference.ts'

holds(
  'FIREWALL-ECHO',
  'newer words are known again after the older ones of the same memory were shown',
  async () => {
    const { stack } = await freshStack()
    const told = at('mcp', { session: 'talk' })
    const capture = { kind: 'raw', body: { content: 'Captured' } } as const
    const first = saying('ExternalFirstHand')
    const raw = await stack.write({ ...capture, provenance: first }, at('lib'))
    const derivedFrom = [raw.ref as Ref]
    const note = (content: string, name: 'UserAsserted' | 'ModelDerived') =>
      ({ kind: 'note', body: { content }, provenance: saying(name, { derivedFrom }) }) as const
    const older = note('Something about birds in spring', 'UserAsserted')
    const { id, entry } = await stack.write(older, at('lib'))
    const revises = { expectedVersion: 1 }
    const newer = {
      ...note(PREFERENCE, 'UserAsserted'),
      id: id as NonNullable<typeof id>,
      revises,
    }
    await stack.write(newer, at('lib'))
    await stack.getMemory('note', String(id), { caller: told })
    await stack.getMemory('note', String(id), { caller: told, asOf: entry.seq })
    const again = await stack.write(note(String(TEMPLATES[0]), 'ModelDerived'), told)
    expect(again.reasons).toEqual(['rewording'])
  },
)
