// Sections 3 and 4 of docs/ledger-format.md: what was recognised as an echo, and overruled.

import { isObject, type JsonObject, readCanonical } from './naive-canonical.ts'
import type { Entry } from './naive-entry.ts'
import { hashOfJson } from './naive-hash.ts'
import type { Memory } from './naive-memory.ts'
import type { SealedRow } from './naive-sealed.ts'

/** What it was taken for, which entries folded rewordings into it, and when a person left it so. */
export type Echo = { of: string | null; folded: number[]; left: number }

const NONE: Echo = { of: null, folded: [], left: 0 }

export const echoOf = ({ echo }: Memory): Echo => echo ?? NONE

export const echoAtBirth = ({ decision: { facts } }: Entry): Echo =>
  typeof facts.phrasingOf === 'string' ? { ...NONE, of: facts.phrasingOf } : NONE

/** A model makes no phrasing its own by rewording it; who says it first-hand does. */
export const echoRevised = (echo: Echo | undefined, isFirstHand: boolean): Echo =>
  isFirstHand ? emptied({ ...(echo ?? NONE), of: null }) : (echo ?? NONE)

/** Where nothing is recognised any more, nobody has looked at anything. */
const emptied = (echo: Echo): Echo =>
  echo.of === null && echo.folded.length === 0 ? { ...echo, left: 0 } : echo

export function echoAfter(memory: Memory, { op, seq, commitment, decision }: Entry): Echo {
  const echo = echoOf(memory)
  const { facts } = decision
  if (op === 'memory.collapsed' && commitment !== null && decision.reasons[0] === 'echo_reworded') {
    return { ...echo, folded: [...echo.folded, seq] }
  }
  if (op === 'echo.left') return { ...echo, left: seq }
  if (op !== 'echo.overruled') return echo
  if (facts.of === undefined) return emptied({ ...echo, of: null })
  return emptied({ ...echo, folded: echo.folded.filter((each) => each !== facts.of) })
}

const waits = (memory: Memory): boolean => {
  const { of, folded, left } = echoOf(memory)
  return (memory.claim !== null && of !== null && left === 0) || folded.some((seq) => seq > left)
}

const isSaid = ({ label }: Entry): boolean => label?.type === 'External'

export const ECHO_JUDGES = {
  'echo.left': ({ entry, memory }: { entry: Entry; memory: Memory }) => [
    !isSaid(entry) && 'leaves it so without leave',
    !waits(memory) && 'leaves what does not wait',
  ],
  'echo.overruled': ({ entry, memory }: { entry: Entry; memory: Memory }) => {
    const { of, phrasingOf } = entry.decision.facts
    const echo = echoOf(memory)
    const isKnown =
      of === undefined
        ? echo.of !== null && echo.of === phrasingOf
        : echo.folded.some((seq) => seq === of)
    return [
      !isSaid(entry) && 'overrules without leave',
      !isKnown && 'overrules what was not recognised',
    ]
  },
}

/** What was let in stands in one unit with the word that lets it in, and is what was kept. */
export function problemsOfLettingIn(
  entry: Entry | undefined,
  { entries, sealed }: { entries: (Entry | undefined)[]; sealed: readonly SealedRow[] },
): string[] {
  const word = wordBefore(entries)
  const overruled = entry?.op === 'memory.saved' ? entry.decision.facts.overruled : undefined
  if (word === undefined) return overruled === undefined ? [] : ['is let in on nobody’s word']
  const isCapture = entry?.op === 'memory.saved' && entry.decision.facts.depth === undefined
  if (isCapture && entry.unit === word.seq && overruled === undefined) return []
  const { into, of } = word.decision.facts
  if (entry?.ref !== into || overruled !== word.seq || entry?.unit !== word.seq) {
    return [`stands where ${String(into)} should be let in`]
  }
  const kept = draftIn(sealed.find(({ seq }) => seq === of))
  const born = sealed.find(({ seq }) => seq === entry.seq)
  const made = born && readCanonical(born.bytes)
  if (kept === undefined || !isObject(made) || !isObject(made.provenance)) return []
  const { contentHash, sourceId, confidence } = made.provenance
  const origin = isObject(kept.origin) ? kept.origin : {}
  const isSame =
    entry.ref === `${kept.kind}:${kept.id}` &&
    hashOfJson(kept.body ?? null) === contentHash &&
    origin.sourceId === sourceId &&
    Number(confidence) <= Number(kept.confidence) &&
    Number(entry.tier) <= Number(kept.tier)
  return isSame ? [] : ['lets in something else than what was folded away']
}

/** The word that lets something in which is not there yet. */
function wordBefore(entries: (Entry | undefined)[]): Entry | undefined {
  for (const each of [...entries].reverse()) {
    if (each?.op === 'echo.overruled') {
      return each.decision.facts.of === undefined ? undefined : each
    }
    const isCapture = each?.op === 'memory.saved' && each.decision.facts.depth === undefined
    if (!isCapture) return undefined
  }
  return undefined
}

function draftIn(row: SealedRow | undefined): JsonObject | undefined {
  const note = row && readCanonical(row.bytes)
  return isObject(note) && isObject(note.fields) ? note.fields : undefined
}
