import type { Ref, StackId } from '../domain/ids.ts'

/** A contest that waits for an answer from outside. */
export interface OracleQuestion {
  readonly stackId: StackId
  /** The queued claim; its timeline shows the opposing claims. */
  readonly claim: Ref
}

/**
 * An outside authority for contests. The oracle answers later, with `adjudicate`. An error of the
 * oracle changes nothing, because the claim and its place in the queue are already committed.
 */
export interface Oracle {
  ask(question: OracleQuestion): void | Promise<void>
}
