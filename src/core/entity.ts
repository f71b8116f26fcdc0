import { parseCaller } from '../domain/doors.ts'
import { MunimentError, NoActiveStackError } from '../domain/errors.ts'
import type { Kind } from '../domain/kind-names.ts'
import type { JsonValue } from '../domain/kinds/json-value.ts'
import type { BodyInputOf } from '../domain/kinds/table.ts'
import { type Accepted, isAccepted } from '../domain/outcome.ts'
import { libCaller } from '../stack/core.ts'
import { refusalError } from '../stack/refusal.ts'
import type { Stack } from '../stack/stack.ts'
import { type RouteOptions, routed, splitFields } from './route.ts'

export interface EntityOptions {
  /** The model whose output this core writes down, as provenance shall name it. */
  readonly modelId?: string
}

type Rest<K extends Kind, Named extends string> = Omit<BodyInputOf<K>, Named> & RouteOptions

/** A core: it owns the model, attaches stacks, and writes with provenance filled in completely. */
export class Entity {
  readonly coreId: string
  readonly #modelId: string
  readonly #stacks = new Map<string, Stack>()
  #active: string | null = null

  constructor(coreId: string, options: EntityOptions = {}) {
    if (typeof coreId !== 'string' || coreId.trim() === '')
      throw new MunimentError('invalid_id', 'A core needs an id.')
    this.coreId = coreId
    this.#modelId = options.modelId ?? `unknown:${coreId}`
  }

  /** Attaching ends INITIALIZING: from here on everything needs a source. */
  async attachStack(stack: Stack, options: { readonly alias?: string } = {}): Promise<void> {
    if (stack.state === 'INITIALIZING') await stack.activate(libCaller('attach_stack'))
    const alias = options.alias ?? stack.stackId
    this.#stacks.set(alias, stack)
    this.#active = alias
  }

  detachStack(alias: string): void {
    this.#stacks.delete(alias)
    if (this.#active === alias) this.#active = null
  }

  setActiveStack(alias: string): void {
    if (!this.#stacks.has(alias)) {
      throw new MunimentError('not_found', 'No stack is attached under that name.')
    }
    this.#active = alias
  }

  get activeStack(): Stack {
    const stack = this.#active === null ? undefined : this.#stacks.get(this.#active)
    if (!stack) throw new NoActiveStackError()
    return stack
  }

  /** The one routed write; the methods below only shape its arguments. */
  async write<K extends Kind>(
    kind: K,
    body: BodyInputOf<K>,
    options: RouteOptions = {},
  ): Promise<Accepted> {
    const stack = this.activeStack
    const router = { coreId: this.coreId, stackId: stack.stackId, modelId: this.#modelId }
    // Only a caller that was left out is the host: one that got lost on the way is refused.
    const { caller: given = libCaller(kind, options) } = options
    const caller = parseCaller(given)
    const request = routed(kind, body, { router, options, caller })
    const result = await stack.write(request, caller)
    if (!isAccepted(result)) throw refusalError(result)
    return result
  }

  raw(content: string, given: Rest<'raw', 'content'> = {}): Promise<Accepted> {
    return this.#split('raw', { ...given, content })
  }

  episode(given: BodyInputOf<'episode'> & RouteOptions): Promise<Accepted> {
    return this.#split('episode', given)
  }

  note(content: string, given: Rest<'note', 'content'> = {}): Promise<Accepted> {
    return this.#split('note', { ...given, content })
  }

  claim(
    claim: { readonly subject: string; readonly predicate: string; readonly value: JsonValue },
    given: Rest<'claim', 'subject' | 'predicate' | 'value'> = {},
  ): Promise<Accepted> {
    return this.#split('claim', { ...given, ...claim })
  }

  belief(statement: string, given: Rest<'belief', 'statement'> = {}): Promise<Accepted> {
    return this.#split('belief', { ...given, statement })
  }

  goal(title: string, given: Rest<'goal', 'title'> = {}): Promise<Accepted> {
    return this.#split('goal', { ...given, title })
  }

  value(name: string, statement: string, given: Rest<'value', 'name' | 'statement'> = {}) {
    return this.#split('value', { ...given, name, statement })
  }

  drive(driveType: string, given: Rest<'drive', 'driveType'> = {}): Promise<Accepted> {
    return this.#split('drive', { ...given, driveType })
  }

  relationship(given: BodyInputOf<'relationship'> & RouteOptions): Promise<Accepted> {
    return this.#split('relationship', given)
  }

  playbook(given: BodyInputOf<'playbook'> & RouteOptions): Promise<Accepted> {
    return this.#split('playbook', given)
  }

  summary(given: BodyInputOf<'summary'> & RouteOptions): Promise<Accepted> {
    return this.#split('summary', given)
  }

  selfNarrative(given: BodyInputOf<'self_narrative'> & RouteOptions): Promise<Accepted> {
    return this.#split('self_narrative', given)
  }

  epoch(given: BodyInputOf<'epoch'> & RouteOptions): Promise<Accepted> {
    return this.#split('epoch', given)
  }

  /** One object holds both what the memory says and how it came to be; here they part. */
  #split<K extends Kind>(kind: K, given: object): Promise<Accepted> {
    const { body, options } = splitFields(given)
    return this.write(kind, body as BodyInputOf<K>, options) // both are parsed by the stack
  }
}
