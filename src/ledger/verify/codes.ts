/** What a check can say. Closed, so that a reader can look each one up. */
export const VERIFY_CODES = [
  'receipt.malformed', // not a receipt, or a member that is not what it must be
  'leaf.mismatch', // the entry is no entry, or not the one at this place of the log
  'commitment.mismatch', // the content is not what the entry committed to
  'content.withheld', // the entry has content that the receipt does not show: not a failure
  'content.erased', // the content was destroyed, and an entry of the log says so: not a failure
  'erasure.mismatch', // what is said to have erased the content did not: it is there, or no such entry is in the log
  'note.malformed', // the checkpoint is not a signed note
  'signature.unknown', // nobody who is trusted signed it
  'signature.invalid', // somebody who is trusted did not sign this
  'checkpoint.malformed', // what was signed is no checkpoint
  'origin.mismatch', // it is of another log
  'inclusion.fail', // the entry is not in the tree
  'head.rollback', // the log is shorter than it was
  'consistency.fail', // the log is not an extension of what it was
  'bundle.malformed', // not a bundle, or its first or last line says something else than the rest
  'content.missing', // content that an entry commits to is not there, and nothing erased it
  'certificate.malformed', // not a certificate of an erasure
  'certificate.mismatch', // its statement and its entries disagree
] as const

export type VerifyCode = (typeof VERIFY_CODES)[number]

/** Codes that say something about a sound receipt. */
const HARMLESS: ReadonlySet<VerifyCode> = new Set(['content.withheld', 'content.erased'])

export interface Verdict {
  readonly ok: boolean
  /** Everything that was found, also what is no failure. */
  readonly codes: readonly VerifyCode[]
}

export const verdictOf = (codes: readonly VerifyCode[]): Verdict => ({
  ok: codes.every((code) => HARMLESS.has(code)),
  codes,
})
