import type { StackId } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { StackState } from '../domain/state.ts'
import type { VerifyEd25519 } from '../ledger/signed-note.ts'
import type { StackComponent } from '../ports/component.ts'
import type { Embedder, Meaning, Oracle } from '../ports/models.ts'
import type { Receipts } from '../ports/receipts.ts'
import type { SyncPorts } from '../ports/remote.ts'
import type { GatherPast, Store } from '../ports/store.ts'
import type { CheckpointShelf, Signer } from '../ports/world.ts'
import type { RebuildOptions, Rebuilt } from './audit/audit.ts'
import type { AuditOptions, AuditReport } from './audit/codes.ts'
import type { Budget } from './processing/prompt.ts'
import type { SigningRule } from './proofs/signed-heads.ts'
import type { World } from './world.ts'

export interface StackParts {
  readonly stackId: StackId
  readonly store: Store
  readonly world: World
  readonly genesisPolicy: Policy
  readonly enforceProvenance: boolean
  readonly standing: StackState
  /** True when opening already checked the ledger for losses; otherwise the first read checks. */
  readonly isWhole?: boolean
  /** Gathers from rows of the past, so that replay can decide again. */
  readonly gatherPast: GatherPast
  /** Closes the store; a store from the caller stays open. */
  readonly releaseStore?: () => Promise<void>
  readonly groupDraftsMax?: number
  readonly components?: readonly StackComponent[]
  /** Storage for receipts; without a store, no receipts are kept. */
  readonly receipts?: Receipts
  /** Vectors of meaning; without them, words alone decide. */
  readonly meaning?: Meaning
  /** Replaces the built-in vectors; loaded on first use. */
  readonly embedder?: Embedder
  readonly modelBudget?: Budget
  /** True where a written statement is linked to the earlier statements that it replaces. */
  readonly linksReplaced?: boolean
  /** Receives contests. */
  readonly oracle?: Oracle
  /** Signs heads; `shelf` stores the signed heads. */
  readonly signer?: Signer
  readonly shelf?: CheckpointShelf
  /** Checks signatures of this machine's own exports; without a check, no file counts as own. */
  readonly verifySignature?: VerifyEd25519
  /** When to sign heads automatically; never when absent. */
  readonly signing?: SigningRule
  /** The way to other replicas; absent where the stack has no remote. */
  readonly sync?: SyncPorts
  /** Writes the file of `export`. */
  readonly writeFile?: (path: string, chunks: AsyncIterable<string>) => Promise<void>
  /** Runs long work in another thread, where the store lies in a file. */
  readonly auditElsewhere?: (options: AuditOptions) => Promise<AuditReport>
  readonly rebuildElsewhere?: (options: RebuildOptions) => Promise<Rebuilt>
  readonly scrubElsewhere?: () => Promise<boolean>
}

export interface CallOptions {
  readonly session?: string
  readonly turn?: string
}

export const ELSEWHERE_MIN = 2_000 // entries; below this number, starting a thread costs more than the audit
