import type { LedgerFault } from '../../../../src/ledger/verify/ledger-walk.ts'

export interface Order {
  readonly path: string
  readonly token: string | null
  readonly pin: { readonly size: number; readonly root: string; readonly key: string } | null
}

export type Report =
  | { readonly type: 'progress'; readonly checked: number; readonly total: number }
  | {
      readonly type: 'fault'
      readonly seq: number
      readonly code: LedgerFault['code'] | 'head.rollback'
      readonly checked: number
    }
  | {
      readonly type: 'done'
      readonly size: number
      readonly root: string
      readonly signed: string
      readonly ms: number
    }
  | { readonly type: 'failed'; readonly words: string }
