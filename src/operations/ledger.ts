import { z } from 'zod'
import { MunimentError, once } from '../domain/errors.ts'
import { jsonObject, shortText } from '../domain/kinds/fields.ts'
import type { Policy } from '../domain/policy.ts'
import { REPLAY_CODES } from '../domain/vocabulary.ts'
import type { Replayed } from '../engine/audit/replay/replay.ts'
import type { LedgerPage } from '../engine/proofs/ledger-page.ts'
import type { Stack } from '../stack.ts'
import type { DoorContext } from './context.ts'
import { limitOf, ref } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { clippedTable, table } from './text/table.ts'
import { age, jsonText, oneLine, shortRef } from './text/words.ts'

export const entries = defineOperation({
  name: 'entries',
  group: 'ledger',
  summary: 'The ledger, entry by entry.',
  right: 'read',
  input: () =>
    z.strictObject({
      from: z.int().min(0).default(0).describe('The number of the first entry.'),
      limit: limitOf(100),
    }),
  output: () =>
    z.strictObject({
      head: z.strictObject({ seq: shape.seq, hash: shape.text, rev: shape.count }),
      entries: shape.list(z.strictObject({ seq: shape.seq, hash: shape.text, entry: shape.text })),
    }),
  example: { from: 0, limit: 2 },
  run: ({ stack }, input) => stack.ledger.entries(input),
  text: (found, { page }) => entriesPage(found, page),
})

export const replay = defineOperation({
  name: 'replay',
  group: 'ledger',
  summary: 'Repeat the decision of an entry, and compare the result.',
  right: 'read',
  input: () =>
    z.strictObject({
      seq: z.int().min(0).describe('The number of an entry of what was taken in.'),
    }),
  output: () =>
    z.strictObject({
      seq: shape.seq,
      unit: shape.seq,
      ref: shape.maybe,
      policyHash: shape.maybe,
      code: z.enum(REPLAY_CODES),
      detail: shape.text,
      recorded: shape.list(shape.text),
      derived: shape.list(shape.text),
    }),
  example: { seq: 3 },
  run: ({ stack }, { seq }) => stack.ledger.replay(seq),
  text: (replayed, { page }) => replayPage(replayed, page),
  outcome: ({ code }) => (code === 'decision.differs' ? 'audit' : 'ok'),
})

export const receipts = defineOperation({
  name: 'receipts',
  group: 'ledger',
  summary: 'Memories that a session was shown, oldest first.',
  right: 'read',
  input: () => z.strictObject({ of: shortText().describe('The session.') }),
  output: () =>
    shape.list(
      z.strictObject({
        time: shape.text,
        session: shape.text,
        turn: shape.maybe,
        actor: shape.text,
        door: shape.door,
        operation: shape.text,
        ref: shape.text,
        tier: shape.tier,
      }),
    ),
  example: { of: 'morning' },
  run: ({ stack }, { of }) => stack.history.receipts(of),
  text: (served, { page }) => receiptsPage(served, page),
})

export const prov = defineOperation({
  name: 'prov',
  group: 'ledger',
  summary: 'Provenance as W3C PROV-JSON, without the words.',
  right: 'read',
  input: () => z.strictObject({ ref: ref().optional() }),
  output: () =>
    z.strictObject({
      prefix: z.record(z.string(), shape.text),
      entity: sectionShape,
      activity: sectionShape,
      agent: sectionShape,
      wasGeneratedBy: sectionShape,
      used: sectionShape,
      wasDerivedFrom: sectionShape,
      wasAttributedTo: sectionShape,
      wasAssociatedWith: sectionShape,
    }),
  example: { ref: 'belief' },
  run: ({ stack }, { ref }) => stack.ledger.prov(ref),
  text: (document) => [jsonText(document)],
})

const policyInput = once(() =>
  z.strictObject({
    at: z
      .string()
      .optional()
      .describe('As it was after an entry, by its number, or the one of a hash.'),
    changes: jsonObject().optional().describe('Fields to change, as JSON; the others stay.'),
  }),
)

type PolicyInput = z.output<ReturnType<typeof policyInput>>

export const policy = defineOperation({
  name: 'policy',
  group: 'stack',
  summary: 'The policy: the numbers behind the rules; a person can change them.',
  right: 'read',
  rises: { field: 'changes', right: 'person' },
  input: policyInput,
  output: () =>
    z.strictObject({
      policy: z.strictObject({
        format: z.literal('muniment/policy/1'),
        rules: shape.list(shape.text),
        changeRules: shape.list(shape.text),
        notBelieved: shape.list(shape.text),
        kinds: partShape,
        doors: partShape,
        numbers: partShape,
        limits: partShape,
        lexicons: partShape,
        uses: partShape,
        recall: partShape,
      }),
      policyHash: shape.text,
    }),
  example: {},
  run: policyOf,
  text: (inForce) => [jsonText(inForce)],
})

const NUMBER = /^\d{1,15}$/ // of an entry; a hash is longer

async function policyOf({ stack, caller }: DoorContext, { changes, at }: PolicyInput) {
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

/** Values that only rules read, by name. */
const partShape = z.unknown()

const sectionShape = z.record(z.string(), shape.open)

type Receipt = Awaited<ReturnType<Stack['history']['receipts']>>[number]

/** Each entry on a line; `--json` has the hashed texts. */
function entriesPage({ head, entries }: LedgerPage, page: Page): readonly string[] {
  const { ink, now, width } = page
  if (entries.length === 0) return [`No entry there; the ledger has ${head.seq + 1}.`]
  const rows = entries.map(({ seq, hash, entry }) => {
    const { op, ref, time } = JSON.parse(entry) as ShownEntry // canonical JSON, read by the stack
    const about = ref === null ? '' : shortRef(ref)
    return [
      { text: String(seq), right: true as const },
      { text: hash.slice(0, HASH_SHOWN), shown: ink.faint(hash.slice(0, HASH_SHOWN)) },
      { text: age(time, now) },
      { text: op },
      { text: about, shown: ink.ref(about) },
    ]
  })
  const last = entries.at(-1)?.seq ?? 0
  const more = head.seq - last
  return [
    ...clippedTable(rows, width),
    ...(more > 0 ? [ink.faint(`${more} more: muniment ledger entries --from ${last + 1}`)] : []),
  ]
}

const HASH_SHOWN = 16

interface ShownEntry {
  readonly op: string
  readonly ref: string | null
  readonly time: string
}

/** The replayed decision; where the recorded decision differs, both are shown. */
function replayPage(told: Replayed, { ink }: Page): readonly string[] {
  const { seq, unit, ref, policyHash, code, detail, recorded, derived } = told
  const isSame = code === 'decision.same'
  const from = unit === seq ? '' : `, decided with entry ${unit}`
  return [
    `${isSame ? ink.good(code) : ink.bad(code)}  ${detail}.`,
    ink.faint(
      `entry ${seq}${from}${ref === null ? '' : `: ${shortRef(ref)}`}${policyHash === null ? '' : `, policy ${policyHash}`}`,
    ),
    ...(code === 'decision.differs'
      ? ['Recorded:', ...recorded, 'Decided again:', ...derived].map(oneLine)
      : []),
  ]
}

function receiptsPage(served: readonly Receipt[], { ink, now }: Page): readonly string[] {
  if (served.length === 0) return ['Nothing was served in that session.']
  return table(
    served.map(({ time, ref, tier, door, operation, actor }) => [
      { text: age(time, now) },
      { text: shortRef(ref), shown: ink.ref(shortRef(ref)) },
      { text: `tier ${tier}` },
      { text: `${door}:${operation}` },
      { text: oneLine(actor) },
    ]),
  )
}
