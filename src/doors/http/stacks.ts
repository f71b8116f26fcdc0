import { Entity } from '../../agent/entity.ts'
import { MunimentError } from '../../domain/errors.ts'
import { parseStackId } from '../../domain/ids.ts'
import type { Stack } from '../../stack.ts'
import { assertPersonal } from '../projects/personal-stack.ts'
import { Feed } from './feed.ts'

/** The server's access to stacks; the program knows their places. */
export interface StackSource {
  readonly open: (stackId: string) => Promise<Stack>
  readonly exists: (stackId: string) => Promise<boolean>
  readonly list: () => Promise<readonly string[]>
}

const CORE = 'muniment-http'
const OPEN_MAX = 64 // unused stacks kept open
const MODELS_MAX = 100 // models with a remembered core, for each stack

/** An open stack, with its feed and cores. */
export class OpenStack {
  readonly stack: Stack
  readonly feed: Feed
  readonly #entities = new Map<string, Promise<Entity>>()
  /** Running requests on the stack. */
  users = 0

  constructor(stack: Stack) {
    this.stack = stack
    this.feed = new Feed(stack)
  }

  /** The core that writes for a model; attached by its first write, so reading leaves no trace. */
  entity(modelId: string): Promise<Entity> {
    const known = this.#entities.get(modelId)
    if (known) return known
    if (this.#entities.size >= MODELS_MAX) this.#entities.clear()
    const made = attached(modelId, this.stack)
    this.#entities.set(modelId, made)
    made.catch(() => this.#entities.delete(modelId))
    return made
  }
}

async function attached(modelId: string, stack: Stack): Promise<Entity> {
  const entity = new Entity(CORE, { modelId })
  await entity.attachStack(stack)
  return entity
}

/** Open stacks, shared by all their callers. */
export class OpenStacks {
  readonly #source: StackSource
  /** The only served stack, if limited. */
  readonly #only: string | null
  /** The stack that a first write may make. */
  readonly #usual: string
  readonly #held = new Map<string, Promise<OpenStack>>()
  #isClosed = false

  constructor(
    source: StackSource,
    { only, usual }: { readonly only: string | null; readonly usual: string },
  ) {
    this.#source = source
    this.#only = only
    this.#usual = usual
  }

  get usual(): string {
    return this.#usual
  }

  get openCount(): number {
    return this.#held.size
  }

  async list(): Promise<readonly string[]> {
    const all = await this.#source.list()
    return this.#only === null ? all : all.filter((id) => id === this.#only)
  }

  /** Opens a stack for the length of `work`. */
  async use<T>(id: string, work: (held: OpenStack) => Promise<T>): Promise<T> {
    const { held, release } = await this.hold(id)
    try {
      return await work(held)
    } finally {
      release()
    }
  }

  /** Keeps a stack open until `release` is called. */
  async hold(id: string): Promise<{ readonly held: OpenStack; readonly release: () => void }> {
    const held = await this.#open(parseStackId(id))
    held.users += 1
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      held.users -= 1
      void this.#letGo()
    }
    return { held, release }
  }

  async #open(id: string): Promise<OpenStack> {
    if (this.#isClosed) throw new MunimentError('stack_closed', 'The server is stopping.')
    const known = this.#held.get(id)
    if (known) {
      this.#held.delete(id) // moves the stack to the end, as last used
      this.#held.set(id, known)
      return known
    }
    if (this.#only !== null && id !== this.#only) throw noStack(id)
    if (id !== this.#usual && !(await this.#source.exists(id))) throw noStack(id)
    return this.#make(id)
  }

  /** Makes a missing stack; only a person asks for a new stack. */
  async make(id: string): Promise<void> {
    assertPersonal(id, true)
    if (this.#only !== null && id !== this.#only) throw noStack(id)
    const held = await (this.#held.get(parseStackId(id)) ?? this.#make(id))
    await held.stack.control.activate()
  }

  #make(id: string): Promise<OpenStack> {
    const again = this.#held.get(id) // another call may have opened the stack meanwhile
    if (again) return again
    const made = this.#source.open(id).then((stack) => new OpenStack(stack))
    this.#held.set(id, made)
    made.catch(() => this.#held.delete(id))
    return made
  }

  async #letGo(): Promise<void> {
    for (const [id, promise] of this.#held) {
      if (this.#held.size <= OPEN_MAX) return
      const held = await promise.catch(() => null)
      if (held === null || held.users > 0 || this.#held.get(id) !== promise) continue
      this.#held.delete(id)
      held.feed.close()
      await held.stack.close()
    }
  }

  /** Acknowledged writes are in the ledger before this returns. */
  async close(): Promise<void> {
    this.#isClosed = true
    const all = await Promise.allSettled(this.#held.values())
    this.#held.clear()
    const open = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    for (const { feed } of open) feed.close()
    await Promise.all(open.map(({ stack }) => stack.close()))
  }
}

const noStack = (id: string): MunimentError =>
  new MunimentError('not_found', `There is no stack “${id}” here.`, {
    hint: 'GET /v1/stacks lists those that are.',
  })
