import { MunimentError } from '../../domain/errors.ts'
import type { Uses } from '../engine.ts'
import { libCaller } from '../write/speaker.ts'
import type { Hook } from './component-calls.ts'
import type { ComponentRegistry } from './component-registry.ts'
import { reportBody, reportRequest, reportsOf } from './reports.ts'

/** Components that fail, and in which hooks. */
export type Failing = Readonly<Record<string, readonly string[]>>

/**
 * What fails is written down, so that another process can name it: hooks only, since a message may
 * hold the words of a memory. A failure is told when something is written next, and that it is over
 * in maintenance, so that one that comes and goes does not fill the ledger.
 */
export class ComponentFailures {
  readonly #registry: ComponentRegistry
  #isTelling = false

  constructor(registry: ComponentRegistry) {
    this.#registry = registry
  }

  /** After a write: what began to fail since. */
  async tellNew(uses: Uses): Promise<void> {
    if (!this.#registry.hasNewFailures || this.#isTelling) return
    await this.#tell(uses, ({ failing, told }) => new Set([...told, ...failing]))
  }

  /** In maintenance: what fails now, and what is over. What fails elsewhere is not for us to deny. */
  async tellAll(uses: Uses): Promise<void> {
    await this.#tell(uses, ({ about, failing, told }) => {
      const standing = [...told].filter((hook) => !this.#registry.isOver(about, hook))
      return new Set([...standing, ...failing])
    })
  }

  async #tell(uses: Uses, merge: Merge): Promise<void> {
    this.#isTelling = true // what is written here is told of too, and must not begin anew
    try {
      await this.#write(uses, merge)
    } finally {
      this.#isTelling = false
    }
  }

  async #write(uses: Uses, merge: Merge): Promise<void> {
    const failing = this.#registry.takeFailing()
    const known = setsOf(await failingIn(uses)) // another process may have said otherwise since
    for (const about of new Set([...failing.keys(), ...known.keys()])) {
      const told = known.get(about) ?? NONE
      const now = merge({ about, failing: failing.get(about) ?? NONE, told })
      if (isSame(now, told)) continue
      const request = reportRequest(uses, { topic: 'failure', about }, { hooks: [...now].sort() })
      if (!(await isWritten(uses, request))) return
    }
  }
}

type Merge = (of: {
  readonly about: string
  readonly failing: ReadonlySet<string>
  readonly told: ReadonlySet<string>
}) => ReadonlySet<string>

const NONE: ReadonlySet<Hook> = new Set()

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((each) => b.has(each))

const setsOf = (failing: Failing): Map<string, ReadonlySet<string>> =>
  new Map(Object.entries(failing).map(([name, hooks]) => [name, new Set(hooks)]))

/** A stack that takes no writes now keeps the failure for later: it broke nothing, and neither may this. */
async function isWritten(uses: Uses, request: ReturnType<typeof reportRequest>): Promise<boolean> {
  try {
    await uses.write(request as never, libCaller('failure')) // a request of its own kind
    return true
  } catch (cause) {
    if (cause instanceof MunimentError) return false
    throw cause
  }
}

/** What the ledger last said of each component. */
export async function failingIn(uses: Pick<Uses, 'read'>): Promise<Failing> {
  const latest = new Map<string, readonly string[]>()
  for await (const stored of reportsOf(uses, 'failure')) {
    const { about, fields } = reportBody(stored)
    if (latest.has(about)) continue
    const { hooks } = fields as { readonly hooks?: unknown } // written above
    latest.set(about, Array.isArray(hooks) ? hooks.map(String) : [])
  }
  return Object.fromEntries([...latest].filter(([, hooks]) => hooks.length > 0))
}
