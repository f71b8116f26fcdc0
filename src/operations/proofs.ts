import { z } from 'zod'
import type { SignedCheckpoint } from '../engine/proofs/prove.ts'
import { readerOf } from './context.ts'
import { ref } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { table } from './text/table.ts'
import { jsonText, oneLine, plural } from './text/words.ts'

export const checkpoint = defineOperation({
  name: 'checkpoint',
  group: 'ledger',
  summary: 'Sign the head of the ledger; kept elsewhere, it catches any later rewrite.',
  right: 'read',
  input: () => z.strictObject({}),
  output: () =>
    z.strictObject({
      origin: shape.text,
      size: shape.count,
      root: shape.text,
      note: shape.text,
      key: shape.text,
    }),
  example: {},
  notes: [
    'Keep what it prints in a file elsewhere: muniment audit --against <file> reads it back.',
  ],
  examples: ['muniment ledger checkpoint > head.txt'],
  run: ({ stack }) => stack.ledger.checkpoint(),
  text: (signed, { page }) => checkpointPage(signed, page),
})

export const prove = defineOperation({
  name: 'prove',
  group: 'ledger',
  summary: 'A receipt for a memory, for anyone to check.',
  right: 'read',
  input: () =>
    z.strictObject({
      ref: ref(),
      withhold: z.boolean().default(false).describe('Leave the words out.'),
    }),
  output: () =>
    z.strictObject({
      format: z.literal('muniment/receipt/1'),
      entry: shape.text,
      sealed: z.strictObject({ salt: shape.text, text: shape.text }).nullable(),
      erasedBy: z.strictObject({ entry: shape.text, proof: shape.list(shape.text) }).nullable(),
      proof: shape.list(shape.text),
      checkpoint: shape.text,
    }),
  example: { ref: 'belief' },
  notes: [
    'Anyone checks it, with the key that checkpoint prints: muniment ledger check <file> --key <key>',
  ],
  examples: ['muniment ledger prove belief:1a2b3c4d > receipt.json'],
  run: (context, { ref, withhold }) =>
    context.stack.ledger.prove(ref, { withhold, ...readerOf(context) }),
  // Shown raw, because programs read or keep the receipt.
  text: (receipt) => [jsonText(receipt)],
})

export const heads = defineOperation({
  name: 'heads',
  group: 'ledger',
  summary: 'Every signed head, and the public key.',
  right: 'read',
  input: () => z.strictObject({}),
  output: () => z.strictObject({ heads: shape.list(shape.text), key: shape.text }),
  example: {},
  run: async ({ stack }) => ({
    heads: await stack.ledger.checkpoints(),
    key: await stack.ledger.verifierKey(),
  }),
  text: (found, { page }) => headsPage(found, page),
})

export const consistency = defineOperation({
  name: 'consistency',
  group: 'ledger',
  summary: 'A proof that today’s ledger continues an older signed head.',
  right: 'read',
  input: () =>
    z.strictObject({
      size: z.int().min(0).describe('How many entries the head covers that is held.'),
    }),
  output: () =>
    z.strictObject({ from: shape.count, checkpoint: shape.text, proof: shape.list(shape.text) }),
  example: { size: 1 },
  run: ({ stack }, { size }) => stack.ledger.proveExtension(size),
  text: (proof) => [jsonText(proof)],
})

const checkpointPage = (
  { size, root, note, key }: SignedCheckpoint,
  { ink }: Page,
): readonly string[] => [
  `Signed: ${plural(size, 'entry', 'entries')}, root ${root.slice(0, 16)}…`,
  '',
  ...note
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`),
  '',
  ink.faint('Keep the note elsewhere, and the key that checks it:'),
  `  ${key}`,
]

function headsPage(
  { heads, key }: { readonly heads: readonly string[]; readonly key: string },
  { ink }: Page,
): readonly string[] {
  if (heads.length === 0) return ['No head was signed yet: muniment ledger checkpoint']
  const rows = heads.map((note) => {
    const [, size = '', root = ''] = note.split('\n')
    return [{ text: plural(Number(size), 'entry', 'entries') }, { text: oneLine(root) }]
  })
  return [...table(rows), ink.faint(`key ${key}`)]
}
