import type { Entry } from '../../domain/entry.ts'
import { ERASURE_FORMAT, type ErasureStatement, parseStatement } from '../erasure.ts'
import { type Checkpoint, openNote, parseVerifierKey } from '../signed-note.ts'
import { type Verdict, type VerifyCode, verdictOf } from './codes.ts'
import {
  entryOf,
  hasOnly,
  isBareProof,
  isText,
  openCheckpoint,
  type ProvedEntry,
  placeCodes,
  sha256,
  type Trust,
  verifyEd25519,
} from './receipt.ts'

export interface ErasureCertificate {
  readonly format: typeof ERASURE_FORMAT
  readonly statement: string
  readonly entries: readonly ProvedEntry[]
  readonly checkpoint: string
}

export interface ErasureVerdict extends Verdict {
  /** Null where the statement's signature or text fails. */
  readonly statement: ErasureStatement | null
  readonly entries: readonly Entry[]
}

/** Checks a certificate with no store, clock or network; a sound one gives `content.erased`. */
export function verifyErasure(certificate: unknown, { keys }: Pick<Trust, 'keys'>): ErasureVerdict {
  const known = readCertificate(certificate)
  if (!known) return { ...verdictOf(['certificate.malformed']), statement: null, entries: [] }
  const codes: VerifyCode[] = []
  const statement = statementIn(known.statement, keys)
  if (typeof statement === 'string') codes.push(statement)
  const checkpoint = openCheckpoint(known.checkpoint, keys)
  if (typeof checkpoint === 'string') codes.push(checkpoint)
  const entries = known.entries.map(({ entry }) => entryOf(entry))
  if (entries.includes(null)) codes.push('leaf.mismatch')
  if (typeof checkpoint !== 'string') codes.push(...pathCodes(known, entries, checkpoint))
  if (typeof statement !== 'string') codes.push(...statedCodes(statement, entries, checkpoint))
  const found = [...new Set(codes)]
  return {
    ...verdictOf(found.length === 0 ? ['content.erased'] : found),
    statement: typeof statement === 'string' ? null : statement,
    entries: entries.flatMap((entry) => entry ?? []),
  }
}

function statementIn(note: string, keys: readonly string[]): ErasureStatement | VerifyCode {
  const trusted = keys.flatMap((key) => parseVerifierKey(sha256, key) ?? [])
  const opened = openNote(note, trusted, { sha256, verify: verifyEd25519 })
  if (!opened.ok) return opened.code
  return parseStatement(opened.text) ?? 'certificate.malformed'
}

function pathCodes(
  { entries: shown }: ErasureCertificate,
  entries: readonly (Entry | null)[],
  checkpoint: Checkpoint,
): readonly VerifyCode[] {
  return shown.flatMap((proved, at) => {
    const entry = entries[at]
    return entry ? placeCodes(proved, entry, checkpoint) : []
  })
}

const ERASES: ReadonlySet<string> = new Set(['memory.erased', 'actor.erased'])

function statedCodes(
  { origin, entries: seqs }: ErasureStatement,
  entries: readonly (Entry | null)[],
  checkpoint: Checkpoint | VerifyCode,
): readonly VerifyCode[] {
  if (typeof checkpoint !== 'string' && checkpoint.origin !== origin) return ['origin.mismatch']
  const isBorneOut =
    seqs.length > 0 &&
    seqs.length === entries.length &&
    entries.every((entry, at) => !entry || (entry.seq === seqs[at] && ERASES.has(entry.op)))
  return isBorneOut ? [] : ['certificate.mismatch']
}

/** `unknown` becomes a certificate here, or null. */
function readCertificate(value: unknown): ErasureCertificate | null {
  if (typeof value !== 'object' || value === null) return null
  const { format, statement, entries, checkpoint } = value as Partial<ErasureCertificate> // checked below
  const isWhole =
    format === ERASURE_FORMAT &&
    hasOnly(value, ['format', 'statement', 'entries', 'checkpoint']) &&
    isText(statement) &&
    isText(checkpoint) &&
    Array.isArray(entries) &&
    entries.every(isBareProof)
  return isWhole ? (value as ErasureCertificate) : null // every member was checked
}
