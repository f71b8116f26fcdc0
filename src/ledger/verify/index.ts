/** Checks exported bytes with no store, clock, network or platform: `muniment/verify`. */
export { type Checkpoint, parseCheckpoint } from '../signed-note.ts'
export { type BundleTrust, type BundleVerdict, verifyBundle } from './bundle.ts'
export { VERIFY_CODES, type Verdict, type VerifyCode } from './codes.ts'
export { type ErasureCertificate, type ErasureVerdict, verifyErasure } from './erasure.ts'
export {
  hashOfEntry,
  type LedgerFault,
  type LedgerLine,
  LedgerWalk,
  type Waymark,
} from './ledger-walk.ts'
export type { ProvedEntry } from './receipt.ts'
export {
  openCheckpoint,
  RECEIPT_FORMAT,
  type Receipt,
  type ReceiptVerdict,
  type Trust,
  verifyHeads,
  verifyReceipt,
} from './receipt.ts'
