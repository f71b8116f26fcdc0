import type { Values } from '../../operations/settings.ts'
import type { Stack } from '../../stack.ts'

export type Env = Readonly<Record<string, string | undefined>>

export interface Output {
  readonly isTerminal: boolean
  /** Characters in a line, if the terminal knows. */
  readonly columns: number | undefined
  readonly write: (text: string) => void
}

export interface Input {
  readonly isTerminal: boolean
  /**
   * The name of the terminal, such as pts/3; null without a terminal, or where the system does not
   * say.
   */
  readonly terminalName: () => string | null
  /** Reads to the end. */
  readonly read: () => Promise<Uint8Array>
  /** Reads a line; empty at the end of the input. */
  readonly line: () => Promise<string>
}

export interface Place {
  readonly home: string
  /** The address of a store; null for files in the home folder. */
  readonly store: string | null
}

export interface Tuned {
  readonly values: Pick<
    Values,
    'checkpointsTo' | 'embedder.url' | 'embedder.model' | 'embedder.dimension' | 'embedder.key'
  >
}

export interface Opening {
  /** The remote of this call, with the code where it is given. */
  readonly sync?: { readonly remote: string; readonly code?: string }
  /** The process stays and serves others; a command reads or writes once. */
  readonly isServed?: boolean
}

/** The program's access to stacks. `open` makes a missing stack. */
export interface Stacks {
  readonly open: (stackId: string, place: Place & Tuned, how?: Opening) => Promise<Stack>
  readonly exists: (stackId: string, place: Place) => Promise<boolean>
  /** Ids of all existing stacks. */
  readonly list: (place: Place) => Promise<readonly string[]>
  /** Copies a stack, even while in use, into a new file. */
  readonly backup: (stackId: string, target: Place & { readonly to: string }) => Promise<void>
  /** Damage of the file itself, invisible to an audit; each as a sentence. */
  readonly check: (stackId: string, place: Place) => Promise<readonly string[]>
  /** Frees unused room in the file; reports the bytes before and after. */
  readonly vacuum: (stackId: string, place: Place) => Promise<Vacuumed>
  /** Opens a restored bundle or backup; an existing stack is set aside on request. */
  readonly restore: (stackId: string, source: Place & Restoring) => Promise<Stack>
  /** Streams the lines of a bundle. */
  readonly bundleLines: (from: string) => Promise<AsyncIterable<string>>
  /** Copies a stack to another store, or back to a file, and compares both heads. */
  readonly move: (stackId: string, target: Place & Moving) => Promise<Moved>
  /** The code of the remote that a stack syncs with; null before the first round. */
  readonly syncCode: (stackId: string, place: Place) => Promise<string | null>
  /** Prepares a database for stacks, or lists the needed statements. */
  readonly migrate: (target: Place & Migrating) => Promise<Migrated>
}

export interface Watched {
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

export interface Restoring extends Watched {
  readonly from: string
  readonly replace: boolean
  /** Called with the new folder of the stack set aside. */
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

/** A stack for the demo, with an adjustable clock and a way to corrupt the file. */
export interface Scene {
  readonly open: () => Promise<Stack>
  readonly later: (ms: number) => void
  /** Replaces stored words while the stack is closed, as any program can edit a file. */
  readonly vandalise: (from: string, to: string) => Promise<string>
  /** Synchronous, because the program may be stopping. */
  readonly close: () => void
}

export type ParseJson = (text: string, options?: { readonly valuesMax?: number }) => unknown

/** The process as the program sees it; tests pass another. */
export interface Host {
  readonly args: readonly string[]
  readonly env: Env
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  /**
   * The default folder for memory. Called only when needed; throws where the environment names
   * none.
   */
  readonly defaultHome: () => string
  /** The user's own folder with the settings of clients; null where the environment names none. */
  readonly userFolder: () => string | null
  /** The working folder of the call. */
  readonly folder: string
  readonly nodeVersion: string
  readonly version: () => string
  readonly now: () => number
  readonly stacks: Stacks
  /**
   * Loads a strict parser late; the parser refuses JSON that `JSON.parse` would silently change.
   */
  readonly jsonParser: () => Promise<ParseJson>
  readonly scene: () => Promise<Scene>
  /** Registers last words for an interrupt by hand; returns the way to unregister. */
  readonly onInterrupt: (lastWords: () => string) => () => void
}
