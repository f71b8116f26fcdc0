import type { LabelTiers } from '../domain/doors.ts'
import type { MemoryId } from '../domain/ids.ts'
import { definitionOf } from '../domain/kinds/table.ts'
import { type Label, label } from '../domain/labels.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Redactor } from '../domain/words/secrets.ts'
import {
  type CaptureRequest,
  reasonCaptures,
  type WriteRequest,
} from '../engine/write/write-request.ts'
import { cutTo, present } from './fields.ts'
import type { SourceRecord, Voice } from './record.ts'

/** Tiers of an adoption: an import is the importer's word, so no tier is above 1. */
export const UNVOUCHED: LabelTiers = { ExternalFirstHand: 1, ModelDerived: 1 }

/** A person vouches for the source: the channels keep their usual tiers. */
export const VOUCHED: LabelTiers = { UserAsserted: 3, ExternalFirstHand: 2, ModelDerived: 1 }

export interface RequestParts {
  readonly id: MemoryId
  /** The importer, as provenance names it; a name for each batch. */
  readonly actor: string
  readonly format: string
  /** The path of the file. */
  readonly path: string
  readonly isVouched: boolean
}

/** One record as a write: a raw capture, or the source's conclusion on its raw wording. */
export function requestOf(of: SourceRecord, parts: RequestParts): WriteRequest {
  const { id, actor, format, path, isVouched } = parts
  const { conclusion, voice, text, from, author, confidence } = of
  const kind = conclusion?.kind ?? 'raw'
  const raw = present({ content: text, capturedFrom: from })
  const isModels = voice === 'model'
  const provenance = present({
    sourceType: 'external' as const,
    label: labelOf(voice, isVouched),
    sourceId: actor,
    sourceEntity: author,
    ingestionPath: `adopt:${format}`,
    confidence: confidence ?? definitionOf(kind).confidence,
    eventTime: of.time,
    session: of.session === undefined ? undefined : shortened(`${format}:${of.session}`),
    turn: of.turn === undefined ? undefined : shortened(of.turn),
    document: documentOf(path, of.position),
    llmModel: isModels ? (author ?? `unknown:${format}`) : null,
  })
  if (conclusion === undefined) return { kind, id, body: raw, provenance }
  const [own, ...more] = reasonCaptures(kind, text)
  const captures: readonly CaptureRequest[] =
    own === undefined ? [] : [{ kind: 'raw', body: raw }, ...more]
  // An import revises nothing, so known words bring no other fields.
  const given = [definedBy(kind)]
  return { kind, id, body: conclusion.body, provenance, captures, given } as WriteRequest // kind and body belong together
}

const DEFINING: Readonly<Record<string, string>> = {
  belief: 'statement',
  goal: 'title',
  episode: 'objective',
  relationship: 'entityName',
}

/** The field that holds the words of a kind. */
export const definedBy = (kind: string): string => DEFINING[kind] ?? 'content'

function labelOf(voice: Voice, isVouched: boolean): Label {
  if (voice === 'model') return label.modelDerived()
  return voice === 'person' && isVouched ? label.userAsserted() : label.firstHand()
}

/** The file and the place in it; a long path keeps its end. */
function documentOf(path: string, position: string): string {
  const place = cutTo(position, LIMITS.tagCharsMax)
  const room = LIMITS.shortTextCharsMax - place.length - 2
  const shown = path.length <= room ? path : `…${path.slice(-room + 1).toWellFormed()}`
  return `${shown}, ${place}`
}

/** True where a document names a place in this file; a shortened path counts as any file's. */
export const isOfFile = (document: string | null, file: string): boolean =>
  document !== null && (document.startsWith(`${file}, `) || document.startsWith('…'))

const shortened = (name: string): string => cutTo(name, LIMITS.shortTextCharsMax)

/** The record without secrets of known shapes. */
export function withoutSecretsIn(of: SourceRecord, redact: Redactor): SourceRecord {
  const { key, ...words } = of
  return { key: redact(key), ...(clean(words, redact) as Omit<SourceRecord, 'key'>) } // the same shape
}

function clean(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((each) => clean(each, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, clean(each, redact)]),
  )
}
