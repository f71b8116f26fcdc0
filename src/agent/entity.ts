import { type Caller, parseCaller } from '../domain/doors.ts'
import { MunimentError, NoActiveStackError } from '../domain/errors.ts'
import type { Kind } from '../domain/ids.ts'
import type { JsonObject, JsonValue } from '../domain/kinds/json-value.ts'
import type { BodyInputOf } from '../domain/kinds/table.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Accepted } from '../domain/write.ts'
import type { ProcessOptions, ProcessReport } from '../engine/processing/run/process.ts'
import { libCaller } from '../engine/write/arguments.ts'
import { accepted } from '../engine/write/outcomes.ts'
import { namesIn } from '../engine/write/write-request.ts'
import type { InferencePort } from '../ports/models.ts'
import type { Stack } from '../stack.ts'
import {
  CHECKPOINT,
  checkpointOf,
  type Resumed,
  resumedFrom,
  type WorkingState,
} from './checkpoint.ts'
import {
  type NamespacedTool,
  type Plugin,
  type PluginOptions,
  type PluginState,
  Plugins,
} from './plugins.ts'
import { type Place, placed, type RouteOptions, routed, splitFields } from './route.ts'

/** The model of an agent, and the clock of its plugins. */
export interface EntityOptions {
  /** The model whose output this core writes, by its name in provenance. */
  readonly modelId?: string
  /** The model itself, which the components of attached stacks may use. Its id wins. */
  readonly model?: InferencePort
  /** The default context of every memory, such as `project:muniment`. */
  readonly context?: string
  readonly contextTags?: readonly string[]
}

type Rest<K extends Kind, Named extends string> = Omit<BodyInputOf<K>, Named> & RouteOptions

/**
 * A core: it owns the model, attaches stacks, and writes with provenance filled in completely.
 * @example
 * const me = new Entity('agent')
 * await me.attachStack(stack)
 * await me.note('We deploy on Tuesdays')
 */
export class Entity {
  readonly coreId: string
  readonly #modelName: string
  #model: InferencePort | null = null
  readonly #place: Place
  readonly #plugins = new Plugins(this)
  readonly #stacks = new Map<string, Stack>()
  #active: string | null = null

  constructor(coreId: string, options: EntityOptions = {}) {
    if (typeof coreId !== 'string' || coreId.trim() === '')
      throw new MunimentError('invalid_id', 'A core needs an id.')
    this.coreId = coreId
    const { context, contextTags, modelId = `unknown:${coreId}` } = options
    if (typeof modelId !== 'string' || !isNameable(modelId)) {
      throw new MunimentError('invalid_input', 'A model has a name that provenance can bear.', {
        hint: 'Leave it out where it is not known.',
        issues: [{ path: 'modelId', message: 'expected a short text that is not empty' }],
      })
    }
    this.#modelName = modelId
    this.#place = { ...(context && { context }), ...(contextTags && { contextTags }) }
    if (options.model) this.#model = checkedModel(options.model)
  }

  /**
   * Attaching ends INITIALIZING: from here on everything needs a source.
   * @example await new Entity('helper').attachStack(stack)
   */
  async attachStack(stack: Stack, options: { readonly alias?: string } = {}): Promise<void> {
    if (stack.state === 'INITIALIZING') await stack.control.activate(libCaller('attach_stack'))
    const alias = options.alias ?? stack.stackId
    const replaced = this.#stacks.get(alias)
    this.#stacks.set(alias, stack)
    this.#active = alias
    await stack.onAttach(this.coreId, this.#model)
    await this.#leave(replaced)
  }

  /**
   * Ends the attachment of a stack; the stack stays open.
   * @example await me.detachStack('main')
   */
  async detachStack(alias: string): Promise<void> {
    const stack = this.#stacks.get(alias)
    this.#stacks.delete(alias)
    if (this.#active === alias) this.#active = null
    await this.#leave(stack)
  }

  /** A stack that is attached under another name as well has not been left. */
  async #leave(stack: Stack | undefined): Promise<void> {
    if (stack && ![...this.#stacks.values()].includes(stack)) await stack.onDetach(this.coreId)
  }

  /**
   * From here on provenance names this model, and every attached stack may use it.
   * @example await me.setModel(null)
   */
  async setModel(model: InferencePort | null): Promise<void> {
    this.#model = model === null ? null : checkedModel(model)
    const stacks = [...new Set(this.#stacks.values())]
    await Promise.all(stacks.map((stack) => stack.onModelChanged(model, this.coreId)))
  }

  /**
   * Chooses the stack that writes go to.
   * @example me.setActiveStack('main')
   */
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

  /**
   * The one routed write; the methods below only shape its arguments.
   * @example const { ref } = await me.write('note', { content: 'We deploy on Tuesdays' })
   */
  async write<K extends Kind>(
    kind: K,
    body: BodyInputOf<K>,
    options: RouteOptions = {},
  ): Promise<Accepted> {
    const stack = this.activeStack
    const modelId = this.#model?.modelId ?? this.#modelName
    const router = { coreId: this.coreId, stackId: stack.stackId, modelId }
    // Only an absent caller is the host: a caller lost on the way is refused.
    const { caller: given = libCaller(options.operation ?? kind, options) } = options
    const caller = parseCaller(given)
    const place = this.#place
    const routing = { router, options, caller, place, given: namesIn(body) }
    const request = routed(kind, placed(kind, body, place), routing)
    const result = accepted(await stack.write({ ...request, inOpenEpoch: true }, caller))
    if (!isLookedAt(kind, caller)) return result
    if (caller.door === 'cli') {
      // The program ends with its answer, so the answer can say what was found.
      const found = await stack.claims.noteContradictions(result.ref)
      return { ...result, contradicts: found.map(({ memory }) => memory.ref) }
    }
    await stack.claims.noteContradictionsLater(result.ref)
    return result
  }

  /**
   * Keeps words as they were said or seen.
   * @example const { ref } = await me.raw('Deploy failed: migration 12 locked the table')
   */
  raw(content: string, given: Rest<'raw', 'content'> = {}): Promise<Accepted> {
    return this.#split('raw', { ...given, content })
  }

  /**
   * Writes an attempt: its objective, outcome and lessons.
   * @example
   * await me.episode({ objective: 'deploy v2', outcome: 'failed', lessons: ['migrate first'] })
   */
  episode(given: BodyInputOf<'episode'> & RouteOptions): Promise<Accepted> {
    return this.#split('episode', given)
  }

  /**
   * Writes an observation, decision, insight or quote.
   * @example await me.note('The table has forty million rows', { tags: ['database'] })
   */
  note(content: string, given: Rest<'note', 'content'> = {}): Promise<Accepted> {
    return this.#split('note', { ...given, content })
  }

  /**
   * Writes a value for a subject and a predicate.
   * @example
   * await me.claim({ subject: 'user', predicate: 'city', value: 'Oslo' }, { saidBy: 'ann' })
   */
  claim(
    claim: { readonly subject: string; readonly predicate: string; readonly value: JsonValue },
    given: Rest<'claim', 'subject' | 'predicate' | 'value'> = {},
  ): Promise<Accepted> {
    return this.#split('claim', { ...given, ...claim })
  }

  /**
   * Writes a statement held to be true, with its sources.
   * @example await me.belief('Migrations go first', { derivedFrom: [note] })
   */
  belief(statement: string, given: Rest<'belief', 'statement'> = {}): Promise<Accepted> {
    return this.#split('belief', { ...given, statement })
  }

  /**
   * Writes an aim, formed from episodes or beliefs.
   * @example await me.goal('Ship v2 without downtime', { derivedFrom: [belief] })
   */
  goal(title: string, given: Rest<'goal', 'title'> = {}): Promise<Accepted> {
    return this.#split('goal', { ...given, title })
  }

  /**
   * Writes a principle, formed from beliefs.
   * @example
   * await me.value('Care', 'Leave the data safer than you found it', { derivedFrom: [belief] })
   */
  value(name: string, statement: string, given: Rest<'value', 'name' | 'statement'> = {}) {
    return this.#split('value', { ...given, name, statement })
  }

  /**
   * Writes a motive of the agent.
   * @example await me.drive('curiosity', { derivedFrom: [belief] })
   */
  drive(driveType: string, given: Rest<'drive', 'driveType'> = {}): Promise<Accepted> {
    return this.#split('drive', { ...given, driveType })
  }

  /**
   * Writes what is known of a person, a group or a system.
   * @example
   * await me.relationship({
   *   entityName: 'Ann',
   *   relationshipType: 'colleague',
   *   because: 'she helped with the lock',
   * })
   */
  relationship(given: BodyInputOf<'relationship'> & RouteOptions): Promise<Accepted> {
    return this.#split('relationship', given)
  }

  /**
   * Writes a proven procedure, step by step.
   * @example
   * await me.playbook({
   *   name: 'Deploy',
   *   description: 'Migrate first',
   *   because: 'it worked twice',
   * })
   */
  playbook(given: BodyInputOf<'playbook'> & RouteOptions): Promise<Accepted> {
    return this.#split('playbook', given)
  }

  /**
   * Writes the summary of a period.
   * @example
   * await me.summary({
   *   scope: 'month',
   *   periodStart: '2026-01-01T00:00:00.000Z',
   *   periodEnd: '2026-01-31T23:59:59.999Z',
   *   content: 'Deploys became safe',
   *   because: 'none failed',
   * })
   */
  summary(given: BodyInputOf<'summary'> & RouteOptions): Promise<Accepted> {
    return this.#split('summary', given)
  }

  /**
   * Writes what the agent says of itself.
   * @example await me.selfNarrative({ content: 'I am careful with tables', because: 'the lock' })
   */
  selfNarrative(given: BodyInputOf<'self_narrative'> & RouteOptions): Promise<Accepted> {
    return this.#split('self_narrative', given)
  }

  /**
   * Writes the beginning or the end of an epoch.
   * @example
   * await me.epoch({ epochNumber: 1, name: 'First deploys', startedAt: '2026-01-01T00:00:00.000Z' })
   */
  epoch(given: BodyInputOf<'epoch'> & RouteOptions): Promise<Accepted> {
    return this.#split('epoch', given)
  }

  /**
   * Makes suggestions of what waits in the active stack, with this core's model or by rule.
   * @example const report = await me.process()
   */
  async process(options?: ProcessOptions | null): Promise<ProcessReport> {
    return this.activeStack.review.process({ actor: this.coreId, ...options })
  }

  /**
   * Saves the state of a task, to continue in another session or with another model.
   * @example await me.checkpoint({ task: 'the migration', pending: ['the index'] })
   */
  async checkpoint(state: WorkingState, options: RouteOptions = {}): Promise<Accepted> {
    const [body, captures] = checkpointOf(state, await this.activeStack.health.now())
    return this.write('note', body, { ...options, operation: CHECKPOINT, captures })
  }

  /**
   * The state of a task at its last checkpoint; null without a checkpoint.
   * @example const before = await me.resume()
   */
  async resume(): Promise<Resumed | null> {
    return resumedFrom(this.activeStack, this.coreId)
  }

  /**
   * Lets a plugin act, as itself and never above the tier it is granted.
   * @example await me.addPlugin({ name: 'clock', version: '1.0.0', activate: () => {} })
   */
  async addPlugin(plugin: Plugin, options?: PluginOptions | null): Promise<void> {
    await this.#plugins.add(plugin, options)
  }

  /**
   * Ends a plugin; its tools are gone.
   * @example
   * await me.addPlugin({ name: 'clock', version: '1.0.0', activate: () => {} })
   * await me.removePlugin('clock')
   */
  async removePlugin(name: string): Promise<void> {
    await this.#plugins.remove(name)
  }

  /** Every plugin by its name, with version, tools and highest tier. */
  get plugins(): Readonly<Record<string, PluginState>> {
    return this.#plugins.states()
  }

  /** The tools of all plugins, each under `plugin.tool`. */
  get tools(): Readonly<Record<string, NamespacedTool>> {
    return this.#plugins.tools()
  }

  /**
   * Calls a tool by its full name.
   * @example
   * for (const name of Object.keys(me.tools)) await me.callTool(name)
   */
  async callTool(name: string, input: JsonObject = {}): Promise<unknown> {
    return this.#plugins.call(name, input)
  }

  /** Splits a draft into the memory's own fields and the options of the write. */
  #split<K extends Kind>(kind: K, given: object): Promise<Accepted> {
    const { body, options } = splitFields(given)
    return this.write(kind, body as BodyInputOf<K>, options) // both are parsed by the stack
  }
}

/** Kinds whose writes look for contradictions: beliefs, and notes from a door. The host notes by the thousand. */
const isLookedAt = (kind: Kind, { door }: Caller): boolean =>
  kind === 'belief' || (kind === 'note' && door !== 'lib')

function checkedModel(model: InferencePort): InferencePort {
  const isNamed = typeof model?.modelId === 'string' && isNameable(model.modelId)
  if (isNamed && typeof model.infer === 'function') return model
  throw new MunimentError('invalid_input', 'A model has a modelId and a method infer.', {
    hint: 'aiSdkModel({ model }) of muniment/ai-sdk makes one of any model of the AI SDK.',
  })
}

/** Checks the model's name at once: provenance would refuse every later write with a bad name. */
const isNameable = (id: string): boolean =>
  id.trim() !== '' && id.length <= LIMITS.shortTextCharsMax && id.isWellFormed()
