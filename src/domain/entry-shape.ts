import { DOORS, isTier } from './doors.ts'
import {
  type ChangeOp,
  ENTRY_FIELDS,
  ENTRY_OPS,
  type Entry,
  type EntryOp,
  isChangeOp,
  NEEDS_TIER,
} from './entry.ts'
import { isHash, tryParseRef } from './ids.ts'
import { tryParseLabel } from './labels.ts'
import { isInstant } from './time.ts'
import { CHANGE_RULE_NAMES, DISPOSITIONS, RULE_NAMES } from './vocabulary.ts'

const REPLICA = /^[0-9a-f]{32}$/
const ops: ReadonlySet<unknown> = new Set(ENTRY_OPS)
const doors: ReadonlySet<unknown> = new Set(DOORS)
const rules: ReadonlySet<unknown> = new Set([...RULE_NAMES, ...CHANGE_RULE_NAMES])
const dispositions: ReadonlySet<unknown> = new Set(DISPOSITIONS)

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
const isNullOr = (value: unknown, is: (value: unknown) => boolean): boolean =>
  value === null || is(value)
const isRef = (value: unknown): boolean => tryParseRef(value) !== undefined
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MEMBERS: Readonly<Record<keyof Entry, (value: unknown, entry: Entry) => boolean>> = {
  v: (value) => value === 1,
  stack: (value) => typeof value === 'string' && value !== '',
  replica: (value) => typeof value === 'string' && REPLICA.test(value),
  seq: isCount,
  unit: (value, { seq }) => isCount(value) && value <= seq,
  time: isInstant,
  op: (value) => typeof value === 'string',
  ref: (value) => isNullOr(value, isRef),
  revision: (value) => isNullOr(value, (number) => isCount(number) && number > 0),
  actor: (value) => isNullOr(value, isHash),
  door: (value) => isNullOr(value, (door) => doors.has(door)),
  label: (value) => isNullOr(value, (label) => tryParseLabel(label) !== undefined),
  tier: (value) => isNullOr(value, isTier),
  parents: (value) => Array.isArray(value) && value.every(isParent),
  commitment: (value) => isNullOr(value, isHash),
  policy: (value) => isNullOr(value, isHash),
  decision: isDecision,
  prevHash: isHash,
}

const isParent = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).join() === 'ref,seq' &&
  isRef(value.ref) &&
  isCount(value.seq)

function isDecision(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).join() !== 'disposition,facts,reasons,rule')
    return false
  const { disposition, facts, reasons, rule } = value
  return (
    isNullOr(disposition, (word) => dispositions.has(word)) &&
    isNullOr(rule, (name) => rules.has(name)) &&
    Array.isArray(reasons) &&
    reasons.every((reason) => typeof reason === 'string') &&
    isObject(facts)
  )
}

/** The first invalid member, in the order of the bytes; null if all are valid. */
export function badMember(value: unknown): string | null {
  // Canonical members come sorted, so comparing without sorting also checks the order.
  if (!isObject(value)) return 'members'
  const names = Object.keys(value)
  if (names.length !== ENTRY_FIELDS.length || names.some((name, at) => name !== ENTRY_FIELDS[at])) {
    return 'members'
  }
  const entry = value as unknown as Entry // each member is checked next
  return ENTRY_FIELDS.find((name) => !MEMBERS[name](entry[name], entry)) ?? null
}

export const isKnownOp = (op: string): op is EntryOp => ops.has(op)

type Member = 'ref' | 'revision' | 'actor' | 'door' | 'label' | 'tier' | 'commitment'

const CERTIFIED: readonly Member[] = [
  'ref',
  'revision',
  'actor',
  'door',
  'label',
  'tier',
  'commitment',
]

/** Operations that fill the same members each time. A tally differs by the counted subject. */
type UniformOp = Exclude<EntryOp, 'tally' | 'memory.refused' | ChangeOp>
const FILLED: Readonly<Record<UniformOp, readonly Member[]>> = {
  genesis: [],
  policy: [],
  state: [],
  'replica.started': [],
  'enforcement.off': [],
  'enforcement.on': [],
  'clock.corrected': ['actor', 'door'],
  'memory.saved': CERTIFIED,
  'memory.revised': CERTIFIED,
  'memory.collapsed': ['ref', 'actor', 'door', 'label'],
  'quarantine.rejected': ['ref', 'actor', 'door'],
  'quarantine.released': ['ref', 'actor', 'door'],
  'memory.received': ['ref', 'door'],
  'memory.erased': ['ref', 'actor', 'door'],
  'actor.erased': ['actor', 'door'],
  'tombstone.kept': ['actor', 'door'],
  'tombstone.lifted': ['actor', 'door'],
  'origin.distrusted': ['actor', 'door'],
  'origin.trusted': ['actor', 'door'],
}

/** Members filled for a policy or a state change only if a caller asked for the change. */
const MAY_BE_ASKED: ReadonlySet<Member> = new Set(['actor', 'door'])

/** Decisions of the gate on writes; each names a rule and a disposition. */
const DECIDED: ReadonlySet<EntryOp> = new Set([
  'memory.saved',
  'memory.revised',
  'memory.refused',
  'memory.collapsed',
])

const REFUSED: readonly Member[] = ['actor', 'door', 'label']
const CHANGED: readonly Member[] = ['ref', 'actor', 'door', 'label']

/** Changes that always follow from another entry, and changes that sometimes do. */
const ALWAYS_FOLLOWS: ReadonlySet<EntryOp> = new Set([
  'memory.strengthened',
  'belief.revised',
  'claim.superseded',
])
const MAY_FOLLOW: ReadonlySet<EntryOp> = new Set([
  'memory.flagged',
  'memory.cleared',
  'memory.distrusted',
  'memory.trusted',
  'belief.deactivated',
  'suggestion.resolved',
  'claim.recast',
])

/**
 * A requested change names a rule; a change that follows from another entry names none. Neither has
 * a disposition or a reason.
 */
function isDecidedChange({ op, decision: { rule, disposition, reasons } }: Entry): boolean {
  if (disposition !== null || reasons.length > 0) return false
  if (rule === null) return ALWAYS_FOLLOWS.has(op) || MAY_FOLLOW.has(op)
  return rule === (op === 'memory.proposed' ? 'authority' : 'admit') && !ALWAYS_FOLLOWS.has(op)
}

/** A requested change may seal words; tags and fields are always sealed. */
function sealsRightly({ op, commitment, decision: { rule, facts } }: Entry): boolean {
  if (commitment !== null) return rule !== null
  return op !== 'memory.annotated' && !(op === 'memory.described' && facts.tags !== undefined)
}

function filledBy({ op, ref }: Entry): readonly Member[] {
  // A collapse counts on the memory, a refusal on the refused actor.
  if (op === 'tally') return ref === null ? ['actor', 'door'] : ['ref']
  if (isChangeOp(op)) return CHANGED
  if (op !== 'memory.refused') return FILLED[op]
  return ref === null ? REFUSED : CERTIFIED
}

/** Older ledgers collapsed rewordings and kept their words. */
const mayKeepWords = ({ op, decision: { rule, reasons } }: Entry): boolean =>
  op === 'memory.collapsed' && rule === 'echo' && reasons[0] === 'echo_reworded'

/** The first member that the operation misuses; null if none. */
export function misusedMember(entry: Entry): string | null {
  const { op, ref, decision } = entry
  const isRefusal = op === 'memory.refused'
  if (isRefusal && ref !== null && !ref.startsWith('suggestion:')) return 'ref'
  if (isRefusal !== (decision.disposition === 'Rejected') && op !== 'quarantine.rejected') {
    return 'decision'
  }
  if (DECIDED.has(op) && (decision.rule === null || decision.disposition === null))
    return 'decision'
  if (isChangeOp(op)) {
    if (!isDecidedChange(entry)) return 'decision'
    if (!sealsRightly(entry)) return 'commitment'
  }
  const filled = filledBy(entry)
  const isOwn = filled.length === 0
  return (
    CERTIFIED.find((name) => {
      if (isOwn && MAY_BE_ASKED.has(name)) return false
      if (op === 'memory.received' && (name === 'commitment' || name === 'tier')) return false
      if (name === 'commitment' && (isChangeOp(op) || mayKeepWords(entry))) return false
      // A change records the caller's tier only below the tier of the label.
      if (name === 'tier' && isChangeOp(op)) {
        return entry.tier !== null && entry.commitment === null && !NEEDS_TIER.has(op)
      }
      return (entry[name] !== null) !== filled.includes(name)
    }) ?? (entry.parents.length > 0 && !filled.includes('tier') ? 'parents' : null)
  )
}
