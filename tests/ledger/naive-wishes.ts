// Section 4 of docs/ledger-format.md: what only some may ask for, what others may wish for, and
// what a change may seal.

import { hasExactly, isList, isObject, type Json, readCanonical } from './naive-canonical.ts'
import { isDoubtBasis } from './naive-distrust.ts'
import { type Entry, isTime } from './naive-entry.ts'
import { isBasis } from './naive-erased.ts'
import { type Known, speaks } from './naive-evidence.ts'
import { commitmentOf } from './naive-hash.ts'
import { isExternal, type Memory, strengthNow } from './naive-memory.ts'
import type { SealedRow } from './naive-sealed.ts'

const OLD_TAKING = [
  'memory.forgotten',
  'memory.weakened',
  'memory.described',
  'memory.unprotected',
  'belief.deactivated',
  'memory.recovered',
  'memory.processed',
  'claim.ended',
  'claim.retracted',
]

/** What words count for where their entry does not say less. */
export const tierOfLabel = (label: Json | null): number => {
  const { kind, type } = (label ?? {}) as { kind?: string; type?: string }
  return { UserAsserted: 3, ExternalFirstHand: 2, ModelDerived: 1 }[String(kind ?? type)] ?? 0
}

/** Every change that needs the authority over its memory. */
const GUARDED = [
  ...OLD_TAKING,
  'memory.protected',
  'claim.reopened',
  'claim.recast',
  'claim.adjudicated',
  'echo.overruled',
]

/** Whether its caller has the authority over a memory; undefined where no key can tell whose it is. */
export function authorityOver(memory: Memory, entry: Entry, known: Known): boolean | undefined {
  const { label } = entry
  const tier = entry.tier ?? tierOfLabel(label)
  if (memory.isFirstHand && !isExternal(label)) return false
  if (tier < (memory.bornTier ?? memory.tier)) return false
  if (isTrusted(entry)) return true
  return speaks(memory.sourceId, entry, known)
}

/** Whether a change lacks the leave that its operation needs. */
export function lacksLeave(entry: Entry, memory: Memory, known: Known): boolean {
  const { op, label, decision } = entry
  const isModel = !isExternal(label)
  if (known.policy.numbers.proposalsPerActorMax === undefined) {
    return OLD_TAKING.includes(op) && memory.isFirstHand && isModel
  }
  if (op === 'belief.revised') {
    const old = known.memories.get(String(decision.facts.of))
    return old !== undefined && authorityOver(old, entry, known) === false
  }
  if (decision.rule === null || !GUARDED.includes(op)) return false
  if (op === 'memory.forgotten' && isSwept(entry, memory, known)) return false
  if (op === 'memory.processed' && isTrusted(entry)) return isModel && memory.isFirstHand
  const { overrules } = decision.facts
  const others = isList(overrules)
    ? overrules.flatMap((ref) => known.memories.get(String(ref)) ?? [])
    : []
  return [memory, ...others].some((each) => authorityOver(each, entry, known) === false)
}

/** The host lets go of what has faded, because the policy says so. */
const isSwept = ({ door, label, time }: Entry, memory: Memory, { policy }: Known): boolean =>
  door === 'lib' &&
  isExternal(label) &&
  strengthNow(memory, policy, time) < Number(policy.numbers.strengthDormantBelow)

/** The door of the host, or a person's word at any. */
const isTrusted = ({ door: at, label, tier }: Entry): boolean =>
  at === 'lib' || at === 'import' || (label?.kind === 'UserAsserted' && tier === null)

const WISHES: Record<string, readonly string[]> = {
  forget: [],
  recover: [],
  process: [],
  weaken: ['amount'],
  describe: ['confidence'],
  protect: ['on'],
  deactivate: [],
  supersede: [],
  retract: [],
  reopen: [],
  end: ['at'],
  adjudicate: ['verdict', 'evidence'],
  erase: ['basis'],
  distrust: ['basis'],
  overrule: ['of'],
  verify: ['evidence'],
  reinforce: ['evidence'],
  recast: ['to'],
}

/** What a wish must bring along. */
const NEEDED: Record<string, readonly string[]> = {
  weaken: ['amount'],
  end: ['at'],
  adjudicate: ['verdict', 'evidence'],
  erase: ['basis'],
  distrust: ['basis'],
  verify: ['evidence'],
  reinforce: ['evidence'],
  recast: ['to'],
}

const isMember = (name: string, value: Json): boolean => {
  if (name === 'at') return isTime(value)
  if (name === 'on') return value === true
  if (name === 'to') return ['Functional', 'SetValued'].includes(String(value))
  if (name === 'of') return Number.isSafeInteger(value)
  if (name === 'basis') return isBasis(value) || isDoubtBasis(value)
  if (name === 'verdict') return ['affirm', 'deny', 'unknown'].includes(String(value))
  if (name === 'evidence') return isList(value) && value.every((ref) => typeof ref === 'string')
  return typeof value === 'number' && value >= 0 && value <= 1
}

export function problemOfWish(entry: Entry, memory: Memory, known: Known) {
  const { label, tier, decision } = entry
  const { facts } = decision
  const { memories } = known
  if (facts.change === 'revise') return problemOfRevision(entry, memory, memories)
  const { change, into, ...more } = facts
  const allowed = WISHES[String(change)]
  if (allowed === undefined) return 'wishes for an unknown change'
  if (
    !Object.entries(more).every(([name, value]) => allowed.includes(name) && isMember(name, value))
  ) {
    return 'wishes for a change with other numbers'
  }
  const isInto = isList(into) && into.every((ref) => memories.has(String(ref)))
  if (change === 'process' ? !isInto : into !== undefined) return 'wishes into nothing'
  if ((NEEDED[String(change)] ?? []).some((name) => more[name] === undefined)) {
    return 'wishes for half a change'
  }
  const needsLeave =
    memory.isFirstHand ||
    (change === 'describe' && (tier ?? tierOfLabel(label)) < memory.tier) ||
    ['reopen', 'adjudicate', 'erase', 'distrust', 'overrule'].includes(String(change))
  const neededLeave = needsLeave && !isExternal(label)
  const isOnlyDecided = ['erase', 'distrust', 'overrule'].includes(String(change))
  const lacksIt = !isOnlyDecided && !holdsAll(entry, memory, known)
  if (!neededLeave && !lacksIt) return 'proposes what needed no leave'
  if (isList(more.evidence) && !more.evidence.every((ref) => memories.has(String(ref)))) {
    return 'wishes by evidence that does not exist'
  }
  if (change === 'overrule' && !isRecognised(memory, more.of)) {
    return 'wishes to overrule what was not recognised'
  }
  const isOpen = memory.flags.some(
    ({ code, actor }) => code === 'proposed' && actor === entry.actor,
  )
  return isOpen ? 'proposes beside an open proposal' : null
}

/** Fields for the words of a memory: several of one actor wait as one proposal. */
function problemOfRevision(
  { label, actor: by, decision: { facts } }: Entry,
  memory: Memory,
  memories: ReadonlyMap<string, Memory>,
) {
  const { change: _, from, ...more } = facts
  const isFrom =
    from === undefined ||
    (isList(from) && from.length > 0 && from.every((ref) => memories.has(String(ref))))
  if (!isFrom || Object.keys(more).length > 0) return 'proposes a revision with other members'
  if (label?.type === 'RecallReEntry') return 'proposes fields that were recalled'
  if (memory.kind === 'claim') return 'proposes fields of a claim'
  const isOther = memory.flags.some(
    (flag) => flag.code === 'proposed' && flag.actor === by && flag.by !== memory.ref,
  )
  return isOther ? 'proposes beside an open proposal' : null
}

/** The authority over a memory, and over every claim that a verdict for it would put aside. */
function holdsAll(entry: Entry, memory: Memory, known: Known): boolean {
  if (authorityOver(memory, entry, known) !== true) return false
  if (entry.decision.facts.change === 'describe') {
    return (entry.tier ?? tierOfLabel(entry.label)) >= memory.tier
  }
  if (entry.decision.facts.verdict !== 'affirm') return true
  const line = [...known.memories.values()].filter(
    (each) => each.claim?.line === memory.claim?.line,
  )
  return line.every((each) => authorityOver(each, entry, known) === true)
}

/** Older ledgers hold proposals to let in what an entry folded away. */
const isRecognised = (memory: Memory, folded: unknown): boolean =>
  folded !== undefined || memory.link !== null

/** What a change seals, and whether it had to, or could. */
export function problemsOfNote(entry: Entry, row: SealedRow | undefined): string[] {
  const { op, commitment, decision } = entry
  const { facts, rule } = decision
  const hasTags = op === 'memory.described' && facts.tags !== undefined
  if (commitment === null) {
    const mustSeal = op === 'memory.annotated' || facts.change === 'revise' || hasTags
    return mustSeal ? ['seals nothing where it must'] : []
  }
  if (rule === null) return ['follows, and yet seals something']
  if (row === undefined) return ['has lost its sealed row']
  const problems: string[] = []
  if (row.salt.length !== 32) problems.push('has a salt that is not 32 bytes')
  if (row.ref !== entry.ref) problems.push('has a sealed row of another memory')
  if (commitmentOf(row.salt, row.bytes) !== commitment) {
    problems.push('has a sealed row that does not hash to its commitment')
  }
  const note = readCanonical(row.bytes)
  if (!isObject(note) || !hasExactly(note, ['fields', 'tags', 'text'])) {
    return [...problems, 'seals something else than a note in canonical form']
  }
  const { fields, tags, text } = note
  const isTexts = isList(tags) && tags.every((tag) => typeof tag === 'string')
  if (text !== null && typeof text !== 'string') problems.push('seals a text that is none')
  if (tags !== null && !isTexts) problems.push('seals tags that are none')
  if (fields === null && tags === null && text === null) problems.push('seals nothing')
  const isRevision = op === 'memory.proposed' && facts.change === 'revise'
  const hasFields = op === 'memory.annotated' || op === 'memory.collapsed' || isRevision
  if (hasFields ? !isObject(fields) : fields !== null) {
    problems.push('seals fields, or none, against its operation')
  }
  const isSaid = ['memory.proposed', 'memory.attested'].includes(op) && facts.change === 'describe'
  const count = isList(tags) ? tags.length : undefined
  if (!isSaid && count !== (hasTags ? facts.tags : undefined)) {
    problems.push('seals another number of tags')
  }
  return problems
}
