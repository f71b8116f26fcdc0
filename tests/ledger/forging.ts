// A birth told anew: entry, certificate and body changed together, with every hash made to fit.

import { canonical, type Json, type JsonObject } from './naive-canonical.ts'
import { commitmentOf } from './naive-hash.ts'
import { type Copy, type Members, rechain, rowAt, sealedAt, withMembers } from './vandal.ts'

export type Told = { members: Members; provenance: JsonObject; body: Json }

export const both = (
  { members, provenance }: Told,
  entry: { [member: string]: Json },
  certificate: { [member: string]: Json },
): Partial<Told> => ({
  members: { ...members, ...entry },
  provenance: { ...provenance, ...certificate },
})

export function decided(truth: Told, changed: { [member: string]: Json }): Members {
  const { decision } = truth.members
  return { ...truth.members, decision: { ...(decision as JsonObject), ...changed } }
}

export function tell({ rows }: Copy, truth: Told, lie: Partial<Told>): void {
  const { members, provenance, body } = { ...truth, ...lie }
  const seq = Number(truth.members.seq)
  const seal = sealedAt(rows, seq)
  const bytes = Uint8Array.from(Buffer.from(canonical({ body, provenance })))
  rows.sealed.set(seq, { ...seal, bytes })
  const commitment = commitmentOf(seal.salt, bytes)
  rows.entries[seq] = withMembers(rowAt(rows, seq), { ...members, commitment })
  rechain(rows, seq)
}
