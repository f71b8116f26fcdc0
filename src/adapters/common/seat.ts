import type { Caller } from '../../domain/doors.ts'
import type { Ref } from '../../domain/ids.ts'
import { type Label, label } from '../../domain/labels.ts'
import { splitPrompt } from '../../domain/words/pasted-text.ts'
import { type Redactor, redacted } from '../../domain/words/secrets.ts'
import { libCaller } from '../../engine/write/arguments.ts'
import { accepted } from '../../engine/write/outcomes.ts'
import { counting } from '../../operations/redaction.ts'
import type { Stack } from '../../stack.ts'

/** The user of an agent, as the host knows the user. */
export interface SeatUser {
  /** The name under which provenance lists what the user says. */
  readonly name: string
  /** True only for the owner of the stack, whose words have tier 3. */
  readonly isOwner?: boolean
}

/** Options that every seat takes. */
export interface SeatOptions {
  /** The actor to whom items of this seat belong; `<stack>:<seat>` unless given. */
  readonly actor?: string
  /** The model that writes through the seat, as provenance names it. */
  readonly modelId?: string
  /** The conversation; one for each day unless given. */
  readonly session?: string
  readonly user?: SeatUser
  /** Removes secrets from captured messages; known shapes of secrets unless given. */
  readonly redact?: Redactor
}

/** A message that the host hands over. */
export interface SeatMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
}

/** The author of a change, as far as a seat knows the caller. */
export interface Author {
  readonly actor: string
  readonly caller: Caller
  /** The model behind the words, as provenance names it. */
  readonly modelId: string
}

const VOUCHED_BY_NOBODY = 1
const DAY_CHARS = '2026-01-01'.length

/** Attaching a seat ends the set-up of a stack, as attaching an entity does. */
export async function activated(stack: Stack): Promise<void> {
  if (stack.state === 'INITIALIZING') await stack.control.activate(libCaller('attach_stack'))
}

/**
 * A place where a framework keeps its memory. The seat knows its actor and its conversation. A
 * message of the user begins a turn, so `why` of a later memory leads to the message.
 */
export class Seat {
  readonly stack: Stack
  readonly name: string
  readonly actor: string
  readonly modelId: string
  readonly #options: SeatOptions
  #turn: string | null = null

  constructor(stack: Stack, name: string, options: SeatOptions = {}) {
    this.stack = stack
    this.name = name
    this.actor = options.actor ?? `${stack.stackId}:${name}`
    this.modelId = options.modelId ?? `unknown:${name}`
    this.#options = options
  }

  /** The present turn; null before the first message. */
  get turn(): string | null {
    return this.#turn
  }

  async author(): Promise<Author> {
    return { actor: this.actor, modelId: this.modelId, caller: await this.#caller() }
  }

  /** Captures a message. Only the owner's own words are a person's; pasted words are not. */
  async hear({ role, text }: SeatMessage): Promise<readonly Ref[]> {
    if (text.trim() === '') return []
    await activated(this.stack)
    if (role === 'assistant') return [await this.#capture(text, this.#byModel())]
    if (role === 'tool') return [await this.#capture(text, this.#byTool())]
    const { seq } = await this.stack.ledger.head()
    this.#turn = `message-${seq + 1}`
    const { user } = this.#options
    if (user?.isOwner !== true) return [await this.#capture(text, this.#byUser())]
    const { own, pasted } = splitPrompt(text)
    const refs: Ref[] = []
    if (own !== '') refs.push(await this.#capture(own, this.#byOwner(user.name)))
    if (pasted !== null) refs.push(await this.#capture(pasted, this.#byUser('pasted by the owner')))
    return refs
  }

  #byOwner(name: string): Said {
    return { label: label.userAsserted(), actor: name, sourceType: 'external', tier: null }
  }

  /** A user who is not the owner, and whatever a user pastes. */
  #byUser(document?: string): Said {
    const name = this.#options.user?.name ?? `${this.stack.stackId}:user`
    const actor = document === undefined ? name : `${name}:pasted`
    const sourceType = 'external'
    return { label: label.firstHand(), actor, sourceType, tier: VOUCHED_BY_NOBODY, document }
  }

  #byTool(): Said {
    const actor = `${this.stack.stackId}:tool`
    return { label: label.firstHand(), actor, sourceType: 'observation', tier: VOUCHED_BY_NOBODY }
  }

  #byModel(): Said {
    const { actor } = this
    return { label: label.modelDerived(), actor, sourceType: 'direct_experience', tier: null }
  }

  async #caller(): Promise<Caller> {
    const { session = `${this.name}:${(await this.stack.health.now()).slice(0, DAY_CHARS)}` } =
      this.#options
    const by = { door: 'lib', person: false, grant: null } as const
    return { ...by, operation: this.name, session, turn: this.#turn }
  }

  async #capture(text: string, said: Said): Promise<Ref> {
    const { redact, noted } = counting(this.#options.redact ?? redacted)
    const content = redact(text)
    const caller = noted({ ...(await this.#caller()), operation: `${this.name}_message` })
    const result = await this.stack.write(
      {
        kind: 'raw',
        body: { content, capturedFrom: this.name },
        provenance: {
          sourceType: said.sourceType,
          label: said.label,
          sourceId: said.actor,
          ingestionPath: `${caller.door}:${caller.operation}`,
          confidence: 1,
          llmModel: said.label.type === 'ModelDerived' ? this.modelId : null,
          document: said.document ?? null,
          trustTier: said.tier,
        },
        inOpenEpoch: true,
      },
      caller,
    )
    return accepted(result).ref
  }
}

interface Said {
  readonly label: Label
  readonly actor: string
  readonly sourceType: 'external' | 'observation' | 'direct_experience'
  readonly tier: 1 | null
  readonly document?: string | undefined
}
