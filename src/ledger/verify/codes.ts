/** The results of a check. Closed, so that a reader can look each one up. */
export const VERIFY_CODES = [
  'receipt.malformed', // not a receipt, or a wrong member
  'leaf.mismatch', // the entry is unreadable, or not the entry at this place of the log
  'commitment.mismatch', // the content does not match the entry's commitment
  'content.withheld', // the entry has content that the receipt does not show: not a failure
  'content.erased', // the content was destroyed, and an entry of the log records the erasure: not a failure
  'erasure.mismatch', // the claimed erasure is false: the content is there, or the log has no such entry
  'note.malformed', // the checkpoint is not a signed note
  'signature.unknown', // no trusted key signed the note
  'signature.invalid', // a trusted key's signature does not match the note
  'checkpoint.malformed', // the signed text is no checkpoint
  'origin.mismatch', // the checkpoint is of another log
  'inclusion.fail', // the entry is not in the tree
  'head.rollback', // the log is shorter than before
  'consistency.fail', // the log is not an extension of the earlier log
  'bundle.malformed', // not a bundle, or the first or last line contradicts the other lines
  'content.missing', // committed content is missing, and no entry erased the content
  'certificate.malformed', // not a certificate of an erasure
  'certificate.mismatch', // the statement and the entries of the certificate disagree
] as const

export type VerifyCode = (typeof VERIFY_CODES)[number]

/** Codes that a sound receipt may have. */
const HARMLESS: ReadonlySet<VerifyCode> = new Set(['content.withheld', 'content.erased'])

export interface Verdict {
  readonly ok: boolean
  /** Every finding, also those that are no failure. */
  readonly codes: readonly VerifyCode[]
}

export const verdictOf = (codes: readonly VerifyCode[]): Verdict => ({
  ok: codes.every((code) => HARMLESS.has(code)),
  codes,
})
