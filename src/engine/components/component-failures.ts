import { MunimentError } from '../../domain/errors.ts'
import type { Engine } from '../engine.ts'
import { libCaller } from '../write/speaker.ts'
import type { Hook } from './component-calls.ts'
import type { ComponentRegistry } from './component-registry.ts'
import { reportBody, reportRequest, reportsOf } from './reports.ts'

/** Failing hooks by component. */
export type Failing = Readonly<Record<string, readonly string[]>>

/**
 * Writes failing hooks to the ledger, so that other processes can name them; messages are left out,
 * because they may contain words of a memory. A failure is written after the next save and its end
 * in maintenance, so that a flickering failure does not fill the ledger.
 */
export class ComponentFailures {
  readonly #registry: ComponentRegistry
  #isTelling = false

  constructor(registry: ComponentRegistry) {
    this.#registry = registry
  }

  /** After a save: writes new failures. */
  async tellNew(engine: Engine): Promise<void> {
    if (!this.#registry.hasNewFailures || this.#isTelling) return
    await this.#tell(engine, ({ failing, told }) => new Set([...told, ...failing]))
  }

  /** In maintenance: writes present failures, and confirmed ends of failures. */
  async tellAll(engine: Engine): Promise<void> {
    await this.#tell(engine, ({ about, failing, told }) => {
      const standing = [...told].filter((hook) => !this.#registry.isOver(about, hook))
      return new Set([...standing, ...failing])
    })
  }

  async #tell(engine: Engine, merge: Merge): Promise<void> {
    this.#isTelling = true // prevents recursion: a report is a save too
    try {
      await this.#write(engine, merge)
    } finally {
      this.#isTelling = false
    }
  }

  async #write(engine: Engine, merge: Merge): Promise<void> {
    const failing = this.#registry.takeFailing()
    const known = setsOf(await failingIn(engine)) // another process may have written since
    for (const about of new Set([...failing.keys(), ...known.keys()])) {
      const told = known.get(about) ?? NONE
      const now = merge({ about, failing: failing.get(about) ?? NONE, told })
      if (isSame(now, told)) continue
      const request = reportRequest(engine, { topic: 'failure', about }, { hooks: [...now].sort() })
      if (!(await isWritten(engine, request))) return
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

/** A stack without writes postpones the report: a failure report must break no operation. */
async function isWritten(
  engine: Engine,
  request: ReturnType<typeof reportRequest>,
): Promise<boolean> {
  try {
    await engine.write(request as never, libCaller('failure')) // a request of its own kind
    return true
  } catch (cause) {
    if (cause instanceof MunimentError) return false
    throw cause
  }
}

/** The last reported failures of each component. */
export async function failingIn(engine: Pick<Engine, 'read'>): Promise<Failing> {
  const latest = new Map<string, readonly string[]>()
  for await (const stored of reportsOf(engine, 'failure')) {
    const { about, fields } = reportBody(stored)
    if (latest.has(about)) continue
    const { hooks } = fields as { readonly hooks?: unknown } // written above
    latest.set(about, Array.isArray(hooks) ? hooks.map(String) : [])
  }
  return Object.fromEntries([...latest].filter(([, hooks]) => hooks.length > 0))
}
