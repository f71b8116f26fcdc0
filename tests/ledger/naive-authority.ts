// "Authority" in section 4 of docs/ledger-format.md, for births: a revision, a contest and a
// succession need what every other change of a memory needs.

import { type Test, unless } from './naive-birth.ts'
import { isList, type Json } from './naive-canonical.ts'
import { isExternal, type Memory } from './naive-memory.ts'
import { authorityOver } from './naive-wishes.ts'

type Birth = Parameters<Test>[0]

const named = ({ past }: Birth, refs: Json | undefined): Memory[] =>
  isList(refs) ? refs.flatMap((ref) => past.memories.get(String(ref)) ?? []) : []

/** The tier of a revision is that of its words; the author's own is that of the label at most. */
const mayRevise = ({ entry, before, past, policy, actorKeys }: Birth): boolean => {
  if (entry.op !== 'memory.revised' || before === undefined) return true
  const known = { memories: past.memories, policy, actorKeys }
  return authorityOver(before, { ...entry, tier: null }, known) !== false
}

export const authority: Test = (birth) => {
  const { entry, policy } = birth
  if (policy.numbers.proposalsPerActorMax === undefined) return []
  const { rule, disposition, facts } = entry.decision
  const tier = Number(entry.tier)
  const rivals = named(birth, facts.against)
  const said = rivals.filter(({ isFirstHand }) => isFirstHand)
  const isFirst = isExternal(entry.label)
  const isContest =
    rule === 'conflict' && ['Contested', 'QueuedForAdjudication'].includes(String(disposition))
  const gaveWay =
    rule === 'conflict' && ['CommittedCheap', 'PendingConflict'].includes(String(disposition))
  return [
    unless(mayRevise(birth), 'revises without the authority'),
    unless(!isContest || said.every((rival) => rival.tier <= tier), 'contests a higher tier'),
    unless(
      !(isContest && isFirst) || rivals.every((rival) => rival.tier >= tier),
      'contests a lower tier',
    ),
    unless(
      !(gaveWay && isFirst) || said.every((rival) => rival.tier > tier),
      'gives way to no higher tier',
    ),
    unless(
      named(birth, facts.succeeds).every((earlier) => earlier.tier <= tier),
      'succeeds a higher tier',
    ),
  ]
}
