import { isTier, type Tier } from '../domain/doors.ts'
import { LimitError, MunimentError, ScopeError } from '../domain/errors.ts'
import { isKind, type Kind } from '../domain/ids.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { BodyInputOf } from '../domain/kinds/table.ts'
import type { Accepted } from '../domain/write.ts'
import { libCaller } from '../engine/write/arguments.ts'
import type { SearchResult } from '../ports/component.ts'
import type { Entity } from './entity.ts'
import type { RouteOptions } from './route.ts'

type Awaitable<T> = T | PromiseLike<T>

/** A tool that a plugin offers. */
export interface PluginTool {
  /** Unique in its plugin: lower-case letters, digits, `_` and `-`. */
  readonly name: string
  readonly description: string
  /** A JSON Schema of the tool's input, for callers. */
  readonly input?: JsonObject
  run(input: JsonObject): Awaitable<unknown>
}

/** An extension of a core. A plugin reaches memory only through its context. */
export interface Plugin {
  readonly name: string
  readonly version: string
  activate(context: PluginContext): Awaitable<void>
  /** Read once, after activation. */
  tools?(): readonly PluginTool[]
  deactivate?(): Awaitable<void>
}

/** Options of a plugin's write. Actor, label and trust belong to the core. */
export type PluginWriteOptions = Pick<
  RouteOptions,
  | 'derivedFrom'
  | 'because'
  | 'source'
  | 'evidence'
  | 'confidence'
  | 'eventTime'
  | 'document'
  | 'observed'
>

export type PluginKind = Exclude<Kind, 'epoch'>

/** Memory as a plugin reaches memory. */
export interface PluginContext {
  readonly coreId: string
  readonly plugin: string
  /** The highest tier of the plugin's writes. */
  readonly tier: Tier
  /** Memories only: epochs are the core's to begin, and records about memory the stack's to write. */
  write<K extends PluginKind>(
    kind: K,
    body: BodyInputOf<K>,
    options?: PluginWriteOptions,
  ): Promise<Accepted>
  search(text: string, options?: { readonly limit?: number }): Promise<readonly SearchResult[]>
}

/** The rights of a plugin. */
export interface PluginOptions {
  /** Tiers 0 and 1 write as a model; tier 2 also hands in captures and `observed` facts. Never 3: a plugin is no person. */
  readonly tier?: 0 | 1 | 2
}

export interface PluginState {
  readonly version: string
  readonly tier: Tier
  readonly tools: readonly string[]
}

/** A tool of a plugin, under the name of the plugin. */
export interface NamespacedTool {
  readonly name: string
  readonly description: string
  readonly input: JsonObject
}

/** A plugin with its name at registration; a later change of the name has no effect. */
interface Added {
  readonly name: string
  readonly version: string
  readonly tier: Tier
  readonly tools: Map<string, Tool>
  readonly deactivate: () => Awaitable<void>
  isActive: boolean
}

interface Tool {
  readonly name: string
  readonly description: string
  readonly input: JsonObject
  readonly run: (input: JsonObject) => Awaitable<unknown>
}

const NAME = /^[a-z][a-z0-9_-]{0,63}$/
const INPUT_CHARS_MAX = 65_536 // of one tool call, as JSON
const TIER_USUAL = 1
const TIER_MAX = 2

/** The plugins of a core. A plugin that fails to start leaves nothing behind. */
export class Plugins {
  readonly #entity: Entity
  readonly #added = new Map<string, Added>()

  constructor(entity: Entity) {
    this.#entity = entity
  }

  async add(plugin: Plugin, options?: PluginOptions | null): Promise<void> {
    const { name, version } = checked(plugin)
    const tier = tierOf(options?.tier)
    if (this.#added.has(name)) {
      throw new MunimentError('invalid_input', `There is a plugin ${name} already.`)
    }
    const deactivate = async (): Promise<void> => plugin.deactivate?.()
    const added: Added = { name, version, tier, tools: new Map(), deactivate, isActive: true }
    this.#added.set(name, added)
    try {
      await plugin.activate(this.#contextOf(added))
      for (const tool of plugin.tools?.() ?? []) addTool(added, tool)
    } catch (cause) {
      await this.#dismiss(added).catch(() => {}) // the first failure is the reported one
      throw failedOr(cause, `The plugin ${name} could not be started.`)
    }
  }

  async remove(name: string): Promise<void> {
    const added = this.#added.get(name)
    if (!added) throw new MunimentError('not_found', `There is no plugin ${name}.`)
    await this.#dismiss(added)
  }

  /** Ends the plugin's context: every later call through the context is refused. */
  async #dismiss(added: Added): Promise<void> {
    added.isActive = false
    if (this.#added.get(added.name) === added) this.#added.delete(added.name)
    await added.deactivate()
  }

  states(): Readonly<Record<string, PluginState>> {
    return Object.fromEntries(
      [...this.#added.values()].map(({ name, version, tier, tools }) => [
        name,
        { version, tier, tools: [...tools.keys()] },
      ]),
    )
  }

  tools(): Readonly<Record<string, NamespacedTool>> {
    const named = [...this.#added.values()].flatMap(({ name: plugin, tools }) =>
      [...tools.values()].map(({ name, description, input }) => {
        return { name: `${plugin}.${name}`, description, input }
      }),
    )
    return Object.fromEntries(named.map((tool) => [tool.name, tool]))
  }

  async call(name: string, input: JsonObject): Promise<unknown> {
    const [plugin = '', tool = '', ...more] = String(name).split('.')
    const found = more.length > 0 ? undefined : this.#added.get(plugin)?.tools.get(tool)
    if (!found) throw new MunimentError('not_found', `There is no tool ${name}.`)
    const given = plainInput(input)
    try {
      return await found.run(given)
    } catch (cause) {
      throw failedOr(cause, `The tool ${name} failed.`)
    }
  }

  #contextOf(added: Added): PluginContext {
    const { name, tier } = added
    const actor = `plugin:${name}`
    const caller = libCaller(`plugin_${name}`)
    const assertActive = (): void => {
      if (!added.isActive) throw new ScopeError(`The plugin ${name} is not active.`)
    }
    return {
      coreId: this.#entity.coreId,
      plugin: name,
      tier,
      write: async (kind, body, options = {}) => {
        assertActive()
        assertMemory(kind)
        const { observed = kind === 'raw' && tier >= TIER_MAX, ...rest } = only(options)
        if (observed === true) assertMaySee(added)
        const own = { actor, observed, trustTier: tier, caller }
        return this.#entity.write(kind, body, { ...rest, ...own })
      },
      search: async (text, { limit } = {}) => {
        assertActive()
        const by = { actor, ...(limit === undefined ? {} : { limit }) }
        return this.#entity.activeStack.search(text, by)
      },
    }
  }
}

/** Kinds that no plugin writes: notes of the stack about itself, trust and time. */
function assertMemory(kind: Kind): void {
  if (isKind(kind) && kind !== 'epoch') return
  throw new ScopeError(`A plugin writes memories, and no ${String(kind)}.`)
}

/** A copy, so the tool receives exactly the measured input. */
function plainInput(input: JsonObject): JsonObject {
  let text: string | undefined
  try {
    text = JSON.stringify(input ?? {})
  } catch {
    text = undefined
  }
  const copy: unknown = text === undefined ? undefined : JSON.parse(text)
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) {
    throw new MunimentError('invalid_input', 'A tool takes a JSON object.')
  }
  const size = text?.length ?? 0
  if (size > INPUT_CHARS_MAX) throw new LimitError('toolInputCharsMax', INPUT_CHARS_MAX, size)
  return copy as JsonObject // just parsed
}

const failedOr = (cause: unknown, message: string): MunimentError =>
  cause instanceof MunimentError ? cause : new MunimentError('refused', message, { cause })

/** A plugin below tier 2 writes conclusions as a model does: nobody vouches for its observations. */
function assertMaySee({ name, tier }: Added): void {
  if (tier >= TIER_MAX) return
  throw new ScopeError(`Not saved: the plugin ${name} has tier ${tier} and may not say observed.`, {
    hint: 'Leave observed out; or the host adds the plugin with { tier: 2 }.',
  })
}

const WRITE_FIELDS = [
  'derivedFrom',
  'because',
  'source',
  'evidence',
  'confidence',
  'eventTime',
  'document',
  'observed',
] as const satisfies readonly (keyof PluginWriteOptions)[]

/** Drops members that a plugin may not set. */
const only = (options: PluginWriteOptions): PluginWriteOptions =>
  Object.fromEntries(
    WRITE_FIELDS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )

function tierOf(tier: unknown): Tier {
  if (tier === undefined) return TIER_USUAL
  if (isTier(tier) && tier <= TIER_MAX) return tier
  throw new MunimentError('invalid_input', 'A plugin is granted tier 0, 1 or 2.', {
    issues: [{ path: 'tier', message: 'expected 0, 1 or 2' }],
  })
}

/** Reads the name once: the checked name stays the plugin's name. */
function checked(plugin: Plugin): Pick<Plugin, 'name' | 'version'> {
  const isObject = typeof plugin === 'object' && plugin !== null
  const { name, version, activate } = isObject ? plugin : ({} as Partial<Plugin>)
  const isGood =
    typeof name === 'string' &&
    NAME.test(name) &&
    typeof version === 'string' &&
    typeof activate === 'function'
  if (isGood) return { name, version }
  throw new MunimentError('invalid_input', 'A plugin has a name, a version and activate.')
}

function addTool({ name: plugin, tools }: Added, tool: PluginTool): void {
  const { name, description, input = {} } = tool ?? {}
  const isGood =
    typeof name === 'string' &&
    NAME.test(name) &&
    typeof tool.run === 'function' &&
    !tools.has(name)
  if (!isGood) {
    throw new MunimentError('invalid_input', `A tool of the plugin ${plugin} is not valid.`, {
      hint: 'A name of a-z, 0-9, _ and -, once, and a function run.',
    })
  }
  const run = tool.run.bind(tool)
  tools.set(name, { name, description: String(description), input: plainInput(input), run })
}
