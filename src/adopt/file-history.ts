import { applyPatch, createTwoFilesPatch, parsePatch } from 'diff'
import type { Caller } from '../domain/doors.ts'
import { LimitError, MunimentError } from '../domain/errors.ts'
import type { Ref } from '../domain/ids.ts'
import { label } from '../domain/labels.ts'
import type { Instant } from '../domain/time.ts'
import type { Redactor } from '../domain/words/secrets.ts'
import type { Memory } from '../engine/read/memory-view.ts'
import type { Stack } from '../stack.ts'
import type { Editor } from './editor.ts'
import { cutTo, nameOf, timeOf } from './fields.ts'
import { adoptedId } from './identity.ts'
import { UNVOUCHED } from './request.ts'

/** A state of a watched file, kept as the difference from the state before. */
export interface FileVersion {
  readonly number: number
  readonly ref: Ref
  /** Null where the file is gone, or where a version before was erased. */
  readonly text: string | null
  readonly isGone: boolean
  /** The program or person that edited the file; null where nobody said. */
  readonly who: string | null
  /** The session and the tool behind the edit, where a hook saw both. */
  readonly from: string | null
  /** The time that the file system gives. */
  readonly time: Instant
  readonly keptAt: Instant
  /** The difference, in the usual form. */
  readonly patch: string
  /** Secrets of the file were left out, so this version cannot be put back whole. */
  readonly isRedacted: boolean
}

/** A state of a file as found on the disk; the text is null for a file that is gone. */
export interface FileState {
  readonly text: string | null
  readonly changedMs: number
  /** Asked only for a state that is new. */
  readonly editor: (keptAt: Instant | null) => Promise<Editor>
}

export interface HistoryParts {
  readonly key: Uint8Array
  /** The real path of the file. */
  readonly path: string
  readonly redact: Redactor
  readonly by: Caller
}

const TEXT_CHARS_MAX = 400_000 // a version is one memory, with old and new lines
/** Changed lines of a difference; with more, a version is kept whole, as the search is quadratic. */
export const EDITS_MAX = 2_000
const VERSIONS_MAX = 100_000
/** Headers of a patch: a version that rests on no other, and a file that is gone. */
const FROM_NOTHING = 'nothing'
const GONE = 'gone'
const LEFT_OUT = 'secrets-left-out'

/** The versions of one file in a stack. Ids follow from path and number, so they need no index. */
export class FileHistory {
  readonly #stack: Stack
  readonly #parts: HistoryParts

  constructor(stack: Stack, parts: HistoryParts) {
    this.#stack = stack
    this.#parts = parts
  }

  async versions(): Promise<readonly FileVersion[]> {
    const versions: FileVersion[] = []
    let text: string | null = ''
    for (let number = 1; number <= VERSIONS_MAX; number += 1) {
      const memory = await this.#stack.getMemory('raw', this.#idOf(number))
      if (memory === null) break
      const version = versionOf(memory, number, text)
      text = version.isGone ? '' : version.text
      versions.push(version)
    }
    return versions
  }

  #idOf(number: number): string {
    return adoptedId(this.#parts.key, 'version', this.#parts.path, String(number))
  }

  /** Keeps a new state; null where the last version says the same. */
  async keep(state: FileState): Promise<FileVersion | null> {
    const { path, redact } = this.#parts
    const text = state.text === null ? null : redact(state.text)
    if (text !== null && text.length > TEXT_CHARS_MAX) {
      throw new LimitError('fileVersionCharsMax', TEXT_CHARS_MAX, text.length)
    }
    const last = (await this.versions()).at(-1)
    if (last === undefined ? text === null : isSame(last, text)) return null
    const isFresh = last === undefined || last.isGone || last.text === null
    const before = isFresh ? '' : (last.text ?? '')
    const number = (last?.number ?? 0) + 1
    const header = isFresh ? FROM_NOTHING : `version ${number - 1}`
    const after = text === null ? GONE : `version ${number}`
    const name = nameOf(path) ?? 'file'
    const maxEditLength = isFresh || text === null ? Number.POSITIVE_INFINITY : EDITS_MAX
    const patch =
      createTwoFilesPatch(name, name, before, text ?? '', header, after, { maxEditLength }) ??
      createTwoFilesPatch(name, name, '', text ?? '', FROM_NOTHING, after)
    const isRedacted = text !== state.text
    const editor = await state.editor(last?.keptAt ?? null)
    await this.#write(number, { ...editor, changedMs: state.changedMs, patch, isRedacted })
    const memory = await this.#stack.getMemory('raw', this.#idOf(number))
    return memory && versionOf(memory, number, before)
  }

  async #write(
    number: number,
    { who, from, changedMs, patch, isRedacted }: NewVersion,
  ): Promise<void> {
    const { path, by } = this.#parts
    const shown = nameOf(path) ?? 'file'
    const request = {
      kind: 'raw' as const,
      id: this.#idOf(number),
      body: {
        content: patch,
        ...(from === null ? {} : { capturedFrom: from }),
        ...(isRedacted ? { tags: [LEFT_OUT] } : {}),
      },
      provenance: {
        sourceType: 'external' as const,
        label: label.firstHand(),
        sourceId: 'adopt:watch',
        sourceEntity: who,
        ingestionPath: 'adopt:watch',
        confidence: 1,
        eventTime: timeOf(changedMs) ?? null,
        document: cutTo(`${shown}, version ${number}`, DOCUMENT_CHARS_MAX),
        llmModel: null,
      },
    }
    const caller: Caller = {
      door: 'import',
      operation: 'adopt',
      person: false,
      grant: UNVOUCHED,
      session: by.person ? null : by.session,
      turn: null,
      ...(by.person ? {} : { through: by.door }),
    }
    const result = await this.#stack.write(request, caller)
    if (result.ref === null) {
      throw new MunimentError('refused', result.message ?? `${path} was not kept.`)
    }
  }
}

interface NewVersion extends Editor {
  readonly changedMs: number
  readonly patch: string
  readonly isRedacted: boolean
}

const DOCUMENT_CHARS_MAX = 1_000

const isSame = (last: FileVersion, text: string | null): boolean =>
  last.isGone ? text === null : last.text === text

function versionOf(memory: Memory<'raw'>, number: number, before: string | null): FileVersion {
  const { body, provenance, createdAt, ref } = memory
  const patch = typeof body?.content === 'string' ? body.content : ''
  const [parsed] = patch === '' ? [] : parsePatch(patch)
  const isGone = parsed?.newHeader === GONE
  const base = parsed?.oldHeader === FROM_NOTHING ? '' : before
  const applied =
    parsed === undefined || base === null
      ? false
      : applyPatch(base, parsed, { autoConvertLineEndings: false })
  return {
    number,
    ref,
    text: isGone || applied === false ? null : applied,
    isGone,
    who: provenance.sourceEntity,
    from: body?.capturedFrom ?? null,
    time: provenance.eventTime ?? createdAt,
    keptAt: createdAt,
    patch,
    isRedacted: body?.tags?.includes(LEFT_OUT) ?? false,
  }
}
