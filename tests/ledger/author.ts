// Memories in a few words, for chapters that are about something else.

import { label, type Stack, type WriteRequest } from '../../src/index.ts'

export type Payload = WriteRequest['provenance']
export type Ref = NonNullable<Payload['derivedFrom']>[number]

export const TOOL: Payload = {
  sourceType: 'direct_experience',
  label: label.firstHand(),
  sourceId: 'a tool',
  ingestionPath: 'lib:changes',
  confidence: 0.7123456789,
  llmModel: null,
}
export const USER: Payload = { ...TOOL, label: label.userAsserted(), sourceId: 'the user' }
const MODEL: Payload = {
  ...TOOL,
  sourceType: 'inference',
  label: label.modelDerived(),
  sourceId: 'a model',
  llmModel: 'model-1',
}

export const idOf = (ref: string): string => ref.slice(ref.indexOf(':') + 1)

/** Writes what a chapter is about, in a few words. */
export class Author {
  readonly #stack: Stack
  readonly #about: string
  #said = 0

  constructor(stack: Stack, about: string) {
    this.#stack = stack
    this.#about = about
  }

  async #write(request: WriteRequest): Promise<Ref> {
    const { ref } = await this.#stack.write(request)
    if (ref === null) throw new Error('the history expects a memory here')
    return ref
  }

  #words(): string {
    this.#said += 1
    return `What was said the ${this.#said}. time, of ${this.#about}`
  }

  raw = (provenance = TOOL): Promise<Ref> =>
    this.#write({ kind: 'raw', body: { content: this.#words() }, provenance })

  /** A note with its words captured; the raw that holds them comes second. */
  async captured(provenance: Payload): Promise<readonly [note: Ref, raw: Ref]> {
    const content = this.#words()
    const captures = [{ kind: 'raw', body: { content } }] as const
    const note = await this.#stack.write({ kind: 'note', body: { content }, provenance, captures })
    const [raw] = note.captures
    if (note.ref === null || raw === undefined) throw new Error('the history expects both')
    return [note.ref, raw]
  }

  note = (derivedFrom: Ref[], provenance = TOOL): Promise<Ref> =>
    this.#write({
      kind: 'note',
      body: { content: this.#words() },
      provenance: { ...provenance, derivedFrom },
    })

  belief = (derivedFrom: Ref[], provenance = MODEL): Promise<Ref> =>
    this.#write({
      kind: 'belief',
      body: { statement: this.#words() },
      provenance: { ...provenance, derivedFrom },
    })

  goal = (derivedFrom: Ref[], goalType: 'aspiration' | 'commitment' | 'task'): Promise<Ref> =>
    this.#write({
      kind: 'goal',
      body: { title: this.#words(), goalType },
      provenance: { ...MODEL, derivedFrom },
    })

  /** What somebody says of a line. */
  claim = (value: string, of: { predicate: string; provenance: Payload }): Promise<Ref> =>
    this.#write({
      kind: 'claim',
      body: { subject: 'The user', predicate: of.predicate, value },
      provenance: of.provenance,
      captures: [{ kind: 'raw', body: 'own words' }],
    })

  async suggestion(sources: Ref[]): Promise<string> {
    const content = { statement: this.#words() }
    const body = { memoryType: 'belief', content, confidence: 0.6, sourceRefs: sources } as const
    const ref = await this.#write({ kind: 'suggestion', body, provenance: MODEL })
    return idOf(ref)
  }
}
