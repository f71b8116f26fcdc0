import { label } from '../../domain/labels.ts'
import type { RoutedPayload } from '../../domain/provenance.ts'
import { splitPrompt } from '../../domain/words/pasted-text.ts'
import { type Redactor, redacted } from '../../domain/words/secrets.ts'
import type { Stack } from '../../stack.ts'
import type { SeatUser } from './seat.ts'

/** The part of another product that messages come through. */
export interface Channel {
  readonly stack: Stack
  /** The name of the seat: in the ingestion path of every write. */
  readonly seat: string
  /** The actor to whom the model's words belong; `<stack>:<seat>` unless given. */
  readonly actor?: string
  /** The model behind the words, as provenance names the model. */
  readonly modelId?: string
  /** Removes secrets from the words before they are written; without one, words stay as they are. */
  readonly redact?: Redactor
}

/** Options that every session takes. */
export interface SessionOptions extends Omit<Channel, 'seat'> {
  readonly user?: SeatUser
}

/** A channel that keeps what was said, without secrets: known shapes unless the host says otherwise. */
export const capturing = (options: SessionOptions, seat: string): Channel => ({
  ...options,
  seat,
  redact: options.redact ?? redacted,
})

export type Author = 'user' | 'model' | 'tool'

interface Words {
  readonly author: Author
  /** Null where the words cannot be told from their form. */
  readonly text: string | null
  readonly user?: SeatUser | undefined
}

const VOUCHED_BY_NOBODY = 1

export const actorOf = ({ stack, seat, actor }: Channel): string =>
  actor ?? `${stack.stackId}:${seat}`

/**
 * Provenance for words that a host hands over. Only the owner's typed words are a person's; a message
 * with a paste counts as a document, because another author may have written the paste.
 */
export function provenanceOf(channel: Channel, { author, text, user }: Words): RoutedPayload {
  const { stack, seat, modelId = `unknown:${seat}` } = channel
  const path = { ingestionPath: `lib:${seat}`, confidence: 1 } as const
  const met = {
    ...path,
    label: label.firstHand(),
    llmModel: null,
    trustTier: VOUCHED_BY_NOBODY,
  } as const
  if (author === 'tool')
    return { ...met, sourceType: 'observation', sourceId: `${stack.stackId}:tool` } as const
  if (author === 'model') {
    const by = { sourceType: 'direct_experience', sourceId: actorOf(channel) } as const
    return { ...path, ...by, label: label.modelDerived(), llmModel: modelId }
  }
  const name = user?.name ?? `${stack.stackId}:user`
  if (user?.isOwner !== true) return { ...met, sourceType: 'external', sourceId: name } as const
  if (text === null || splitPrompt(text).pasted !== null) {
    const document = 'pasted by the owner'
    return { ...met, sourceType: 'external', sourceId: `${name}:pasted`, document } as const
  }
  const said = { label: label.userAsserted(), sourceType: 'external', llmModel: null } as const
  return { ...path, ...said, sourceId: name }
}
