import type { StackId } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import type { StackState } from '../domain/state.ts'
import type { VerifyEd25519 } from '../ledger/signed-note.ts'
import type { StackComponent } from '../ports/component.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { Meaning } from '../ports/meaning.ts'
import type { Oracle } from '../ports/oracle.ts'
import type { GatherPast } from '../ports/past.ts'
import type { Receipts } from '../ports/receipts.ts'
import type { CheckpointShelf, Signer } from '../ports/signer.ts'
import type { Store } from '../ports/store.ts'
import type { AuditReport } from './audit/codes.ts'
import type { AuditOptions } from './audit/range.ts'
import type { Budget } from './processing/budget.ts'
import type { RebuildOptions, Rebuilt } from './proofs/rebuild.ts'
import type { SigningRule } from './proofs/unasked-signing.ts'
import type { World } from './world.ts'

/** What a stack is put together from. */
export interface StackParts {
  readonly stackId: StackId
  readonly store: Store
  readonly world: World
  /** What genesis writes if the stack is new. */
  readonly genesisPolicy: Policy
  readonly enforceProvenance: boolean
  /** Where the stack stood when it was opened. */
  readonly standing: StackState
  /** Whether the ledger was found whole when it was opened; looked at with the first read otherwise. */
  readonly isWhole?: boolean
  /** Answers from rows of the past, for deciding again what was decided then. */
  readonly gatherPast: GatherPast
  /** Lets go of the store; one that was passed in belongs to the caller and stays open. */
  readonly releaseStore?: () => Promise<void>
  readonly groupDraftsMax?: number
  readonly components?: readonly StackComponent[]
  /** Where it is written down what was served; nowhere when absent. */
  readonly receipts?: Receipts
  /** How near in meaning a memory is to a question; words alone decide when absent. */
  readonly meaning?: Meaning
  /** Vectors of somebody else instead, asked for when they are needed. */
  readonly embedder?: Embedder
  /** What models may cost a day. */
  readonly modelBudget?: Budget
  /** Who is asked about contests. */
  readonly oracle?: Oracle
  /** Who signs heads, and where they are kept. */
  readonly signer?: Signer
  readonly shelf?: CheckpointShelf
  /** Checks signatures of this machine's own exports; without a check, no file counts as own. */
  readonly verifySignature?: VerifyEd25519
  /** When heads are signed unasked; never when absent. */
  readonly signing?: SigningRule
  /** How `export` makes a file. */
  readonly writeFile?: (path: string, chunks: AsyncIterable<string>) => Promise<void>
  /** Long work in another thread, where the store lies in a file. */
  readonly auditElsewhere?: (options: AuditOptions) => Promise<AuditReport>
  readonly rebuildElsewhere?: (options: RebuildOptions) => Promise<Rebuilt>
  readonly scrubElsewhere?: () => Promise<boolean>
}

export interface CallOptions {
  readonly session?: string
  readonly turn?: string
}

export const ELSEWHERE_MIN = 2_000 // entries; starting a thread costs more than auditing fewer
