import type { Values } from '../../operations/settings.ts'
import type { Stack } from '../../stack.ts'

export type Env = Readonly<Record<string, string | undefined>>

export interface Output {
  readonly isTerminal: boolean
  /** Characters in a line, where there is a terminal that knows. */
  readonly columns: number | undefined
  readonly write: (text: string) => void
}

export interface Input {
  readonly isTerminal: boolean
  /** The name of the terminal, such as pts/3; null without a terminal, or where the system does not say. */
  readonly terminalName: () => string | null
  /** Everything up to its end. */
  readonly read: () => Promise<Uint8Array>
}

export interface Place {
  readonly home: string
  /** The address of a store; null for files in the home folder. */
  readonly store: string | null
}

/** What the settings of a call say of the stacks it opens. */
export interface Tuned {
  readonly values: Pick<
    Values,
    'checkpointsTo' | 'embedder.url' | 'embedder.model' | 'embedder.dimension' | 'embedder.key'
  >
}

/** What the process does with a stack that it opens. */
export interface Opening {
  /** The process stays and serves others; a call reads or writes once. */
  readonly isServed?: boolean
}

/** How the program reaches stacks. `open` makes one that is not there yet. */
export interface Stacks {
  readonly open: (stackId: string, place: Place & Tuned, how?: Opening) => Promise<Stack>
  readonly exists: (stackId: string, place: Place) => Promise<boolean>
  /** Every stack that is there, by id. */
  readonly list: (place: Place) => Promise<readonly string[]>
  /** Copies a stack, which may be in use, into a new file. */
  readonly backup: (stackId: string, target: Place & { readonly to: string }) => Promise<void>
  /** Damage of the file itself, which no audit sees; each as a sentence. */
  readonly check: (stackId: string, place: Place) => Promise<readonly string[]>
  /** Gives back the room in the file that nothing uses; bytes before and after. */
  readonly vacuum: (stackId: string, place: Place) => Promise<Vacuumed>
  /** Brings a bundle or a backup back, and opens it; what stands there is set aside where asked. */
  readonly restore: (stackId: string, source: Place & Restoring) => Promise<Stack>
  /** The lines of a bundle, one at a time. */
  readonly bundleLines: (from: string) => Promise<AsyncIterable<string>>
  /** Copies a stack to another store, or back to a file, and holds the heads of both side by side. */
  readonly move: (stackId: string, target: Place & Moving) => Promise<Moved>
  /** Prepares a database for stacks, or says what that would take. */
  readonly migrate: (target: Place & Migrating) => Promise<Migrated>
}

/** Told how far long work is. */
export interface Watched {
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

export interface Restoring extends Watched {
  readonly from: string
  readonly replace: boolean
  /** Gets the folder that now holds the stack that stood there. */
  readonly onSetAside: (folder: string) => void
}

export interface Moving extends Watched {
  readonly to: Place
}

export interface Moved {
  readonly head: { readonly seq: number; readonly hash: string; readonly root: string }
  readonly entries: number
  readonly memories: number
}

export interface Migrating {
  readonly isDryRun: boolean
  readonly onStep: (step: number, of: number) => void
}

/** Versions before and after. */
export interface Migrated {
  readonly from: number
  readonly to: number
}

export interface Vacuumed {
  readonly before: number
  readonly after: number
}

/** A stack for the demo, with a clock that can be moved on and a hand that can spoil the file. */
export interface Scene {
  readonly open: () => Promise<Stack>
  readonly later: (ms: number) => void
  /** Replaces words where they are kept, while the stack is closed, as any file can be edited. */
  readonly vandalise: (from: string, to: string) => Promise<string>
  /** At once: somebody may have stopped the program. */
  readonly close: () => void
}

export type ParseJson = (text: string, options?: { readonly valuesMax?: number }) => unknown

/** What the program gets from the process it runs in; a test gives it another. */
export interface Host {
  readonly args: readonly string[]
  readonly env: Env
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  /** Where memory is kept unless told otherwise; asked only where that is needed, and throws where nobody knows. */
  readonly defaultHome: () => string
  /** The user's own folder, where clients keep their settings; null where nobody says which it is. */
  readonly userFolder: () => string | null
  /** The folder it was called in. */
  readonly folder: string
  readonly nodeVersion: string
  readonly version: () => string
  readonly now: () => number
  readonly stacks: Stacks
  /** Reads JSON from outside and refuses what `JSON.parse` would quietly change. Loaded late. */
  readonly jsonParser: () => Promise<ParseJson>
  readonly scene: () => Promise<Scene>
  /** Has the last word when somebody stops the program by hand; gives what takes that back. */
  readonly onInterrupt: (lastWords: () => string) => () => void
}
