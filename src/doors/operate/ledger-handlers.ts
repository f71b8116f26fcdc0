import { MunimentError } from '../../domain/errors.ts'
import type { Policy } from '../../domain/policy.ts'
import type { ledger as rows } from '../../operations/ledger.ts'
import type { InputOf } from '../../operations/operations.ts'
import type { DoorContext, Handlers } from './context.ts'

const NUMBER = /^\d{1,15}$/ // of an entry; a hash is longer

export const ledgerHandlers = {
  entries: ({ stack }, input: InputOf<'entries'>) => stack.ledger.entries(input),
  heads: async ({ stack }) => ({
    heads: await stack.ledger.checkpoints(),
    key: await stack.ledger.verifierKey(),
  }),
  consistency: ({ stack }, { size }: InputOf<'consistency'>) => stack.ledger.proveExtension(size),
  prov: ({ stack }, { ref }: InputOf<'prov'>) => stack.ledger.prov(ref),
  policy: (context, input: InputOf<'policy'>) => policyOf(context, input),
  replay: ({ stack }, { seq }: InputOf<'replay'>) => stack.ledger.replay(seq),
  receipts: ({ stack }, { of }: InputOf<'receipts'>) => stack.history.receipts(of),
} satisfies Handlers<keyof typeof rows>

async function policyOf({ stack, caller }: DoorContext, { changes, at }: InputOf<'policy'>) {
  if (at !== undefined && changes !== undefined) {
    throw new MunimentError('invalid_input', 'A policy of the past is not changed.', {
      issues: [{ path: 'at', message: 'goes without changes' }],
    })
  }
  if (at !== undefined) return stack.ledger.policyAt(NUMBER.test(at) ? Number(at) : at)
  if (changes !== undefined) {
    const { policy } = await stack.control.getPolicy()
    await stack.control.setPolicy({ ...policy, ...(changes as Partial<Policy>) }, caller) // parsed by the stack
  }
  return stack.control.getPolicy()
}
