import { contentText } from '../domain/kinds/table.ts'
import type { WriteResult } from '../domain/outcome.ts'
import { contentHash } from '../hash/ledger.ts'
import type { Case, Verdict } from './case.ts'
import { begin, sealNote, tell } from './change.ts'
import { countRepeat, openTally, proposalKey } from './tally.ts'

type Proposed = Extract<Verdict, { type: 'propose' }>

/** Moves nothing; one entry keeps the fields for a person. The same proposal again is counted. */
export function planProposal(c: Case, { of, fields }: Proposed): WriteResult {
  const { candidate, desk, time } = c
  const { origin, caller } = candidate.draft
  const { arrival, chance, captures } = candidate
  const hash = contentHash(desk.setting.sha256, fields)
  const key = proposalKey(of.ref, origin.sourceId, hash)
  const names = Object.keys(fields).join(', ')
  const base = {
    ref: of.ref,
    id: of.id,
    disposition: 'PendingReview',
    rule: 'authority',
    reasons: ['proposed'],
    tier: of.tier,
    cappedBy: null,
    captures: [],
    suggestion: null,
  } as const
  const known = desk.tally(key)
  if (known) {
    desk.putTally(countRepeat(known, time))
    const isOpen = of.flags.some(({ seq }) => seq === known.entrySeq)
    return {
      ...base,
      entry: { seq: known.entrySeq, hash: known.entryHash },
      message: isOpen
        ? `${names}: proposed for ${of.ref} before, and waits for a person.`
        : `${names}: proposed for ${of.ref} before, and a person has answered.`,
      hint: null,
    }
  }
  const by = { actor: origin.sourceId, caller, label: origin.label, arrival }
  const [first] = captures
  const text = first ? contentText(first.kind, first.body) : null
  const sources = candidate.main.derivedFrom.filter((ref) => desk.memory(ref) !== undefined)
  const stored = tell(
    { ...begin(by, desk, { time, chance }), wordsTier: () => c.tier },
    {
      ref: of.ref,
      op: 'memory.proposed',
      facts: { change: 'revise', ...(sources.length > 0 ? { from: sources } : {}) },
      rule: 'authority',
    },
    sealNote({ fields: { ...fields }, tags: null, text }, chance),
  )
  const about = of.ref
  desk.putTally(
    openTally({ key, rule: 'authority', about, actor: null, door: null, pseudonym: null, stored }),
  )
  return {
    ...base,
    entry: { seq: stored.entry.seq, hash: stored.hash },
    message: `${of.ref} has the same words and is not yours to revise: ${names} is proposed, and a person decides.`,
    hint: 'A person answers with review.',
  }
}
