import type { Policy } from '../../domain/policy.ts'
import type { ledger as rows } from '../../protocol/ledger.ts'
import type { InputOf } from '../../protocol/operations.ts'
import type { DoorContext, Handlers } from './context.ts'

export const ledger = {
  entries: ({ stack }, input: InputOf<'entries'>) => stack.entries(input),
  heads: async ({ stack }) => ({
    heads: await stack.checkpoints(),
    key: await stack.verifierKey(),
  }),
  consistency: ({ stack }, { size }: InputOf<'consistency'>) => stack.proveExtension(size),
  prov: ({ stack }, { ref }: InputOf<'prov'>) => stack.exportProv(ref),
  policy: (context, input: InputOf<'policy'>) => policyOf(context, input),
  receipts: ({ stack }, { of }: InputOf<'receipts'>) => stack.receipts(of),
} satisfies Handlers<keyof typeof rows>

async function policyOf({ stack, caller }: DoorContext, { changes }: InputOf<'policy'>) {
  if (changes !== undefined) {
    const { policy } = await stack.getPolicy()
    await stack.setPolicy({ ...policy, ...(changes as Partial<Policy>) }, caller) // parsed by the stack
  }
  return stack.getPolicy()
}
