import { LimitError } from '../../domain/errors.ts'
import { isRecordKind, parseMemoryId, parseRef, type Ref, toRef } from '../../domain/ids.ts'
import { tags as tagList } from '../../domain/kinds/fields.ts'
import { LIMITS } from '../../domain/limits.ts'
import { readable, wrong } from '../write/arguments.ts'
import type { ActOptions } from '../write/speaker.ts'

/** The reason of a change is sealed with the change and bounded like any text. */
export interface ChangeOptions extends ActOptions {
  readonly reason?: string
}

export interface MetaOptions extends ChangeOptions {
  readonly confidence?: number
  readonly tags?: readonly string[]
}

export interface EvidenceOptions extends ChangeOptions {
  readonly evidence?: readonly string[]
}

export function refOf(kind: string, id: string): Ref {
  if (!isRecordKind(kind)) throw wrong('memoryType', 'a kind of memory')
  return toRef(kind, parseMemoryId(id))
}

export function evidenceOf(refs: readonly string[]): readonly Ref[] {
  if (!Array.isArray(refs)) throw wrong('evidence', 'a list of refs')
  if (refs.length > LIMITS.parentsMax) {
    throw new LimitError('parentsMax', LIMITS.parentsMax, refs.length)
  }
  return [...new Set(refs.map((ref) => parseRef(ref)))]
}

export function tagsOf(tags: readonly string[]): readonly string[] {
  if (Array.isArray(tags) && tags.length > LIMITS.listItemsMax) {
    throw new LimitError('listItemsMax', LIMITS.listItemsMax, tags.length)
  }
  const parsed = readable(() => tagList().safeParse(tags))
  if (parsed.success && parsed.data.every((tag) => tag.isWellFormed())) return parsed.data
  throw wrong('tags', `texts of at most ${LIMITS.tagCharsMax} characters`)
}
