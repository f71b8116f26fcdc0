import type { Tier } from '../../domain/doors.ts'
import type { Ref } from '../../domain/ids.ts'
import type { ClaimBody } from '../../domain/kinds/claim.ts'
import { sortedJson } from '../../domain/kinds/json-value.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import type { Written } from '../../domain/words/plain-frame.ts'
import { statingSentence } from '../../domain/words/stating-sentence.ts'
import type { Engine } from '../engine.ts'
import { findStored } from '../read/list.ts'
import { type LineageStep, type Memory, viewOf } from '../read/memory-view.ts'

const PROMPTS_MAX = 64 // of a session, newest first
const TOOL_RESULTS_MAX = 100 // of a turn, newest first
const SURROUNDINGS_CHARS = 1_000 // of a prompt, before the sentence and behind it
const SESSIONS_MAX = 8 // of a lineage, nearest first

/**
 * A prompt with a sentence that reads like the statement of a memory. Irony and the like look the
 * same, so readers get the whole prompt and judge. Context: neither lineage nor evidence.
 */
export interface NearestWords {
  /** The captured prompt with the sentence. */
  readonly ref: Ref
  readonly tier: Tier
  readonly session: string
  readonly turn: string | null
  /** The sentence; null where a use may not read the prompt. */
  readonly text: string | null
  /** Place of the sentence in the prompt, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** The prompt around the sentence, whole unless very long; null like the sentence. */
  readonly prompt: string | null
  /** The stated sentence of the memory; null where a use may not read the prompt. */
  readonly statement: string | null
  /** Words common to both sentences, as the person wrote them. */
  readonly sharedWords: readonly string[]
  /** True when the prompt began the turn of the write; otherwise the prompt came earlier. */
  readonly isSameTurn: boolean
}

/** The turn of a memory's write: context for `why` alone. */
export interface WriteTurn {
  readonly session: string
  readonly turn: string | null
  /** Prompts of this turn that were captured before the write, oldest first. */
  readonly prompts: readonly Ref[]
  /** Tool results of this turn that were captured before the write, oldest first. */
  readonly toolResults: readonly Ref[]
  /** Captured prompts of the session up to the write, at most 64. */
  readonly promptsInSession: number
  /** Null where no captured words of the person come near the memory. */
  readonly nearestWords: NearestWords | null
}

/**
 * The turn of a memory, from the session and turn in its provenance. Null for a memory without a
 * session, and for words of the person: these state themselves.
 */
export async function writeTurnOf(
  engine: Engine,
  lineage: readonly LineageStep[],
): Promise<WriteTurn | null> {
  const own = lineage.at(-1)?.memory
  if (!own || labelName(own.provenance.label) === 'UserAsserted') return null
  const { session, turn } = own.provenance
  if (session === null) return null
  const prompts = await promptsBefore(engine, own, session)
  const isOfTurn = ({ provenance }: Memory): boolean =>
    turn !== null && provenance.turn === turn && provenance.session === session
  const results = turn === null ? [] : await toolResultsBefore(engine, own, session)
  return {
    session,
    turn,
    prompts: refsOf(prompts.filter(isOfTurn)),
    toolResults: refsOf(results.filter(isOfTurn)),
    promptsInSession: prompts.length,
    nearestWords:
      statedIn(own, prompts, isOfTurn) ?? (await statedEarlier(engine, own, { session, lineage })),
  }
}

/**
 * The turn without words that a use may not read: a sentence counts by the tier of its prompt. A
 * null tier stands for a memory that is itself withheld.
 */
export function gatedTurn(turn: WriteTurn | null, needed: Tier | null): WriteTurn | null {
  const nearestWords = turn?.nearestWords
  if (!turn || !nearestWords || (needed !== null && nearestWords.tier >= needed)) return turn
  return { ...turn, nearestWords: { ...nearestWords, ...WITHHELD } }
}

const WITHHELD = { text: null, prompt: null, statement: null, sharedWords: [] } as const

/** Refs in the order of writing. */
const refsOf = (newestFirst: readonly Memory[]): readonly Ref[] =>
  newestFirst.map(({ ref }) => ref).reverse()

/** Words of a turn in which a source of the memory was written. */
async function statedEarlier(
  engine: Engine,
  own: Memory,
  { session, lineage }: { readonly session: string; readonly lineage: readonly LineageStep[] },
): Promise<NearestWords | null> {
  const seen = new Set([session])
  const nearest = [...lineage].sort((a, b) => a.distance - b.distance).slice(0, PROMPTS_MAX)
  for (const { memory } of nearest) {
    const { session: earlier } = memory.provenance
    if (earlier === null || seen.has(earlier)) continue
    if (seen.size === SESSIONS_MAX) return null
    seen.add(earlier)
    const found = statedIn(own, await promptsBefore(engine, memory, earlier), () => false)
    if (found) return found
  }
  return null
}

function statedIn(
  own: Memory,
  prompts: readonly Memory[],
  isSameTurn: (prompt: Memory) => boolean,
): NearestWords | null {
  const texts = prompts.map(({ text }) => text)
  const found = statingSentence(writtenIn(own), texts)
  const prompt = found && prompts[found.prompt]
  if (!prompt) return null
  const { ref, tier, provenance } = prompt
  const { text, start, end } = found.sentence
  return {
    ref,
    tier,
    session: provenance.session ?? '',
    turn: provenance.turn,
    text,
    start,
    end,
    prompt: around(prompt.text, { start, end }),
    statement: found.statement,
    sharedWords: found.sharedWords,
    isSameTurn: isSameTurn(prompt),
  }
}

/** The sentence with its surroundings, cut where a prompt is very long. */
function around(prompt: string, { start, end }: { readonly start: number; readonly end: number }) {
  const from = Math.max(0, start - SURROUNDINGS_CHARS)
  const to = Math.min(prompt.length, end + SURROUNDINGS_CHARS)
  const cut = prompt.slice(from, to).toWellFormed()
  return `${from > 0 ? '…' : ''}${cut}${to < prompt.length ? '…' : ''}`
}

function writtenIn({ kind, body, text }: Memory): Written {
  if (kind !== 'claim') return { type: 'statement', text }
  const { subject, predicate, value } = body as ClaimBody // of this kind
  const words = typeof value === 'string' ? value : sortedJson(value)
  return { type: 'claim', subject, predicate, value: words }
}

/** Prompts of a session before a write in the ledger, newest first. */
const promptsBefore = (engine: Engine, own: Memory, session: string): Promise<readonly Memory[]> =>
  rawBefore(engine, own, { inSession: session, byPerson: true, limit: PROMPTS_MAX })

/** Captures of hooks and the host in a session before a write, without prompts, newest first. */
async function toolResultsBefore(
  engine: Engine,
  own: Memory,
  session: string,
): Promise<readonly Memory[]> {
  const found = await rawBefore(engine, own, { inSession: session, limit: TOOL_RESULTS_MAX })
  return found.filter(({ provenance: { label, ingestionPath } }) => {
    const name = labelName(label)
    return name !== 'UserAsserted' && (isFirstHand(name) || ingestionPath.startsWith('hook:'))
  })
}

async function rawBefore(
  engine: Engine,
  own: Memory,
  options: { readonly inSession: string; readonly byPerson?: true; readonly limit: number },
): Promise<readonly Memory[]> {
  const asked = { ...options, includeWeak: true, withoutCaptures: true, before: own.entry.seq }
  const { found, moment } = await findStored(engine, 'raw', asked)
  return found.map((stored) => viewOf<'raw'>(stored, moment))
}
