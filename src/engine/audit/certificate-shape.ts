import { isTier } from '../../domain/doors.ts'
import { isHash, tryParseRef } from '../../domain/ids.ts'
import { isSourceType, tryParseLabel } from '../../domain/labels.ts'
import { PROVENANCE_FIELDS, type Provenance } from '../../domain/provenance.ts'
import { isInstant } from '../../domain/time.ts'

const FIELDS = [...PROVENANCE_FIELDS].sort()
const FIELDS_REVISED = [...PROVENANCE_FIELDS, 'revisedFrom' as const].sort()

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isFilled: Check = (value) => typeof value === 'string' && value.trim() !== ''
const isFlag: Check = (value) => typeof value === 'boolean'
const isRefs: Check = (value) =>
  Array.isArray(value) && value.every((ref) => tryParseRef(ref) !== undefined)
const isDepth: Check = (value) =>
  value === null || (Number.isSafeInteger(value) && Number(value) >= 0)
const isQuote: Check = (value) =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'end,of,start'
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

const MEMBERS: Readonly<Record<keyof Provenance, Check>> = {
  sourceType: isSourceType,
  label: (value) => tryParseLabel(value) !== undefined,
  sourceId: isFilled,
  sourceEntity: orNull(isText),
  ingestionPath: isFilled,
  timestamp: isInstant,
  eventTime: orNull(isInstant),
  session: orNull(isText),
  turn: orNull(isText),
  relayed: isFlag,
  captured: isFlag,
  quote: orNull(isQuote),
  document: orNull(isText),
  confidence: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  contentHash: isHash,
  policyHash: isHash,
  trustTier: isTier,
  llmModel: orNull(isFilled),
  derivedFrom: isRefs,
  revisedFrom: (value) => isRefs(value) && (value as readonly unknown[]).length > 0,
  sourceEpisodes: isRefs,
  depthNearest: isDepth,
  depthFarthest: isDepth,
}

/** The first invalid member of a birth certificate; null if all are valid. */
export function badCertificateMember(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'members'
  const names = Object.keys(value)
  const fields = 'revisedFrom' in value ? FIELDS_REVISED : FIELDS
  if (names.length !== fields.length || names.some((name, at) => name !== fields[at])) {
    return 'members'
  }
  const certificate = value as Provenance // each member is checked next
  return fields.find((name) => !MEMBERS[name](certificate[name])) ?? null
}
