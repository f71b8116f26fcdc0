// Section 5 of docs/ledger-format.md: whose words a memory may quote, and that they stand there.

import { type Test, unless } from './naive-birth.ts'
import { isObject, type JsonObject, readCanonical, same } from './naive-canonical.ts'
import { isLive } from './naive-memory.ts'

export const quote: Test = (birth) => {
  const { entry, kind, name, provenance, parents, policy } = birth
  const told = provenance.quote ?? null
  if (!same(entry.decision.facts.quote ?? null, told)) return ['quotes other words than it says']
  if (!isObject(told)) return []
  const source = parents.find(({ ref }) => ref === told.of)
  const isWitness =
    source !== undefined &&
    ['raw', 'note', 'episode'].includes(source.kind) &&
    source.isFirstHand &&
    isLive(source, policy) &&
    !(source.isCaptured && source.sourceId === provenance.sourceId)
  const mayQuote = name === 'ModelDerived' && ['claim', 'belief'].includes(kind)
  if (!isWitness || !mayQuote || provenance.captured === true) return ['quotes no witness']
  const text = textOf(birth, source.ref)
  return [unless(text === null || stands(told, text, valueIn(birth)), 'quotes what is not said')]
}

type Birth = Parameters<Test>[0]

/** What it said when it was quoted: its last revision before. */
function textOf({ past, sealed }: Birth, ref: string): string | null {
  const last = past.entries.findLast((each) => each?.ref === ref && each.revision !== null)
  const body = bodyAt(sealed, last?.seq)
  return typeof body.content === 'string' ? body.content : null
}

function bodyAt(sealed: Birth['sealed'], at: number | undefined): JsonObject {
  const row = sealed.find(({ seq }) => seq === at)
  const content = row && readCanonical(row.bytes)
  return isObject(content) && isObject(content.body) ? content.body : {}
}

/** The value that a claim gives to somebody's words; empty where it is a belief. */
function valueIn({ entry, sealed }: Birth): string {
  const { value = '' } = bodyAt(sealed, entry.seq)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whole sentences, cut between characters, which name the value. */
function stands({ start, end }: JsonObject, text: string, value: string): boolean {
  const bytes = Buffer.from(text)
  const [from, to] = [Number(start), Number(end)]
  if (!(from >= 0 && from < to && to <= bytes.length)) return false
  const [before, words, after] = [
    bytes.subarray(0, from).toString(),
    bytes.subarray(from, to).toString(),
    bytes.subarray(to).toString(),
  ]
  return (
    before + words + after === text &&
    words.trim() === words &&
    /(^|[.!?…。！？"'”’)\]]\s*|\n\s*)$/u.test(before) &&
    /(^|[.!?…。！？"'”’)\]])$|^[.!?…。！？"'”’)\]]|^\s*\n/u.test(
      /\w$/u.test(words) ? after : words,
    ) &&
    words.toLowerCase().includes(value.toLowerCase())
  )
}
