import { KINDS, type Ref } from '../../domain/ids.ts'
import { contentText } from '../../domain/kinds/table.ts'
import { labelName } from '../../domain/labels.ts'
import type { Instant } from '../../domain/time.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import type { ReadBy } from '../../engine/read/served.ts'
import type { Stack } from '../../stack.ts'
import { CARD_SESSION } from '../batches.ts'

/** A believed memory, as every export writes memories. */
export interface OutMemory {
  readonly ref: Ref
  readonly kind: string
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
  readonly label: string
  readonly tier: number
  readonly createdAt: Instant
  /** The time of the source, or of the writing. */
  readonly time: Instant
  readonly author: string | null
  readonly document: string | null
  readonly path: string
  readonly session: string | null
  readonly confidence: number
  readonly tags: readonly string[]
}

const PAGE = 500

/** Memories of a stack, oldest kind first, without captures of other memories and without cards. */
export async function* memoriesOf(stack: Stack, by: ReadBy): AsyncGenerator<OutMemory, void> {
  for (const kind of KINDS) {
    for (let after: string | undefined; ; ) {
      const page: readonly Memory[] = await stack.list(kind, {
        ...by,
        limit: PAGE,
        withoutCaptures: true,
        includeSetAside: false,
        includeForgotten: false,
        includeWeak: true,
        ...(after === undefined ? {} : { after }),
      })
      for (const memory of page) if (memory.provenance.session !== CARD_SESSION) yield outOf(memory)
      after = page.at(-1)?.id
      if (page.length < PAGE) break
    }
  }
}

function outOf({ ref, kind, body, provenance, tier, createdAt, confidence }: Memory): OutMemory {
  const fields: Readonly<Record<string, unknown>> = { ...body }
  const { tags } = fields
  return {
    ref,
    kind,
    body: fields,
    text: contentText(kind, body as never), // of its kind
    label: labelName(provenance.label),
    tier,
    createdAt,
    time: provenance.eventTime ?? createdAt,
    author: provenance.sourceEntity,
    document: provenance.document,
    path: provenance.ingestionPath,
    session: provenance.session,
    confidence,
    tags: Array.isArray(tags) ? tags.map(String) : [],
  }
}
