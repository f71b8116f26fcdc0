import { z } from 'zod'
import { REPLAY_CODES } from '../../domain/vocabulary.ts'
import { count, door, list, maybe, open, seq, shape, text, tier } from './parts.ts'

/** What only rules read, by name. */
const part = z.unknown()

const section = z.record(z.string(), open)

export const certificate = shape(
  'ErasureCertificate',
  z.strictObject({
    format: z.literal('muniment/erasure/1'),
    statement: text,
    entries: list(z.strictObject({ entry: text, proof: list(text) })),
    checkpoint: text,
  }),
)

export const ledgerOutputs = {
  checkpoint: z.strictObject({ origin: text, size: count, root: text, note: text, key: text }),
  prove: z.strictObject({
    format: z.literal('muniment/receipt/1'),
    entry: text,
    sealed: z.strictObject({ salt: text, text }).nullable(),
    erasedBy: z.strictObject({ entry: text, proof: list(text) }).nullable(),
    proof: list(text),
    checkpoint: text,
  }),
  entries: z.strictObject({
    head: z.strictObject({ seq, hash: text, rev: count }),
    entries: list(z.strictObject({ seq, hash: text, entry: text })),
  }),
  heads: z.strictObject({ heads: list(text), key: text }),
  consistency: z.strictObject({ from: count, checkpoint: text, proof: list(text) }),
  prov: z.strictObject({
    prefix: z.record(z.string(), text),
    entity: section,
    activity: section,
    agent: section,
    wasGeneratedBy: section,
    used: section,
    wasDerivedFrom: section,
    wasAttributedTo: section,
    wasAssociatedWith: section,
  }),
  policy: z.strictObject({
    policy: z.strictObject({
      format: z.literal('muniment/policy/1'),
      rules: list(text),
      changeRules: list(text),
      notBelieved: list(text),
      kinds: part,
      doors: part,
      numbers: part,
      limits: part,
      lexicons: part,
      uses: part,
      recall: part,
    }),
    policyHash: text,
  }),
  replay: z.strictObject({
    seq,
    unit: seq,
    ref: maybe,
    policyHash: maybe,
    code: z.enum(REPLAY_CODES),
    detail: text,
    recorded: list(text),
    derived: list(text),
  }),
  receipts: list(
    z.strictObject({
      time: text,
      session: text,
      turn: maybe,
      actor: text,
      door,
      operation: text,
      ref: text,
      tier,
    }),
  ),
  certificate,
} as const
