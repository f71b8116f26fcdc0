import type { StackId } from '../../domain/ids.ts'
import type { WriteResult } from '../../domain/write.ts'
import type { Oracle } from '../../ports/models.ts'

/** Notifies the oracle of every claim that was queued for adjudication. */
export async function askOracle(
  { oracle, stackId }: { readonly oracle?: Oracle; readonly stackId: StackId },
  results: readonly WriteResult[],
): Promise<void> {
  if (!oracle) return
  for (const { ref, disposition } of results) {
    if (ref === null || disposition !== 'QueuedForAdjudication') continue
    try {
      await oracle.ask({ stackId, claim: ref })
    } catch {
      // The claim is committed and waits in the review queue even when the oracle fails.
    }
  }
}
