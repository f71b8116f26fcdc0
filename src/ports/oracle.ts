import type { Ref, StackId } from '../domain/ids.ts'

/** A contest that waits for somebody who can know. */
export interface OracleQuestion {
  readonly stackId: StackId
  /** The claim that was queued; its line says what it stands against. */
  readonly claim: Ref
}

/**
 * Somebody outside who can be asked about contests. It answers later, with `adjudicate`; what it
 * throws is its own trouble, since the claim and its place in the queue are committed by then.
 */
export interface Oracle {
  ask(question: OracleQuestion): void | Promise<void>
}
