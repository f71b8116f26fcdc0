import type { Replayed } from '../../../engine/audit/replay/replay.ts'
import type { LedgerPage } from '../../../engine/proofs/ledger-page.ts'
import type { Stack } from '../../../stack.ts'
import type { Page } from './page.ts'
import { clippedTable, table } from './table.ts'
import { age, oneLine, plural, shortRef } from './words.ts'

type Receipt = Awaited<ReturnType<Stack['history']['receipts']>>[number]

/** Each entry on a line; `--json` has the hashed texts. */
export function entriesPage({ head, entries }: LedgerPage, page: Page): readonly string[] {
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
    ...(more > 0 ? [ink.faint(`${more} more: muniment entries --from ${last + 1}`)] : []),
  ]
}

const HASH_SHOWN = 16

interface ShownEntry {
  readonly op: string
  readonly ref: string | null
  readonly time: string
}

export function headsPage(
  { heads, key }: { readonly heads: readonly string[]; readonly key: string },
  { ink }: Page,
): readonly string[] {
  if (heads.length === 0) return ['No head was signed yet: muniment checkpoint']
  const rows = heads.map((note) => {
    const [, size = '', root = ''] = note.split('\n')
    return [{ text: plural(Number(size), 'entry', 'entries') }, { text: oneLine(root) }]
  })
  return [...table(rows), ink.faint(`key ${key}`)]
}

/** The replayed decision; where the recorded decision differs, both are shown. */
export function replayPage(told: Replayed, { ink }: Page): readonly string[] {
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

export function receiptsPage(served: readonly Receipt[], { ink, now }: Page): readonly string[] {
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
