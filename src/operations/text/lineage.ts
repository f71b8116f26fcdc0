import type { Ref } from '../../domain/ids.ts'
import type { Why } from '../../engine/history/why.ts'
import type { NearestWords, WriteTurn } from '../../engine/history/write-turn.ts'
import type { LineageStep, Memory } from '../../engine/read/memory-view.ts'
import type { Explanation } from '../why.ts'
import { historyLines } from './change-words.ts'
import { provenanceLine } from './memory.ts'
import type { Page } from './page.ts'
import { drawTree } from './tree.ts'
import { age, block, clip, oneLine, plural, shortRef, wrap } from './words.ts'

const QUOTE_LINES_MAX = 12 // a tree shows the shape; `show` has every word

const ROOM_MIN = 30

/** The words at the end of a lineage, in quotation marks, behind their margin. */
function quoted(
  { text, ref }: Pick<Memory, 'text' | 'ref'>,
  room: number,
  { ink }: Page,
): string[] {
  const lines = block(text).flatMap((line) => wrap(line, room))
  const kept = lines.slice(0, QUOTE_LINES_MAX)
  const left = lines.length - kept.length
  const shown = kept.map((line, index) => {
    const open = index === 0 ? '“' : ' '
    const close = index === lines.length - 1 ? '”' : ''
    return ink.quote(`${open}${line}${close}`)
  })
  const more = `… ${plural(left, 'more line')}: muniment show ${shortRef(ref)}`
  return left > 0 ? [...shown, ink.faint(more)] : shown
}

function nodeLines(
  memory: Memory,
  at: { readonly again: boolean; readonly margin: number; readonly isRoot: boolean },
  page: Page,
): string[] {
  const { ink, width } = page
  const room = Math.max(ROOM_MIN, width - at.margin - 2)
  const ref = shortRef(memory.ref)
  if (at.again) return [`${ink.ref(ref)}  ${ink.faint('(shown above)')}`]
  const provenance = ink.faint(provenanceLine(memory, page))
  if (at.isRoot) return [`${ink.ref(ref)}`, provenance, ...quoted(memory, room, page)]
  const title = clip(oneLine(memory.text), Math.max(ROOM_MIN, room - ref.length))
  return [`${ink.ref(ref)}  ${title}`, provenance]
}

/** From a memory down to its sources. */
function sourcesTree(lineage: readonly LineageStep[], page: Page): readonly string[] {
  const own = lineage.at(-1)
  if (!own) return []
  const steps = new Map(lineage.map((step) => [step.memory.ref, step]))
  const parentsOf = ({ parents }: LineageStep): readonly LineageStep[] =>
    parents.flatMap((ref) => steps.get(ref) ?? [])
  return drawTree(own, {
    keyOf: ({ memory }) => memory.ref,
    next: parentsOf,
    lines: (step, at) =>
      nodeLines(step.memory, { ...at, isRoot: parentsOf(step).length === 0 }, page),
  })
}

/** From a memory up to everything derived from it. */
function impactTree(of: Ref, steps: readonly LineageStep[], page: Page): readonly string[] {
  const children = new Map<Ref, Memory[]>()
  for (const { memory, parents } of steps) {
    for (const parent of parents) {
      const siblings = children.get(parent)
      if (siblings) siblings.push(memory)
      else children.set(parent, [memory])
    }
  }
  // The root is not among its own consequences: the tree shows only its name.
  return drawTree<Memory | null>(null, {
    keyOf: (memory) => memory?.ref ?? of,
    next: (memory) => children.get(memory?.ref ?? of) ?? [],
    lines: (memory, at) =>
      memory ? nodeLines(memory, { ...at, isRoot: false }, page) : [page.ink.ref(shortRef(of))],
  })
}

/** Changes of a relationship, oldest first. */
function eventLines({ events = [] }: Explained, { ink, now }: Page): readonly string[] {
  if (events.length === 0) return []
  const lines = events.map(
    ({ eventType, old, new: to, time }) =>
      `  ${eventType.replace('_', ' ')}  ${oneLine(String(old))} → ${oneLine(String(to))}  ${age(time, now)}`,
  )
  return [ink.strong('What changed'), ...lines]
}

/** An explanation; the library's own says nothing of what was made from a memory. */
type Explained = Why & Partial<Explanation>

/** Provenance, sources, changes, and what was made from the memory. */
export function whyPage(why: Explained, page: Page): readonly string[] {
  const { ink } = page
  const { rule, seq, policy } = why.letInBy
  const disposition = why.changes.find((change) => change.seq === seq)?.decision.disposition
  const under = policy === null ? '' : `, under policy ${policy.slice(0, 8)}`
  const letIn =
    rule === null
      ? `Recorded in entry ${seq}${under}.`
      : `Let in by the rule ${ink.strong(rule)} as ${disposition ?? 'written'}, in entry ${seq}${under}.`
  const more = ink.faint(
    `the rule that let it in, and entries: muniment why ${shortRef(why.memory.ref)} -v`,
  )
  return [
    ...sourcesTree(why.lineage, page),
    ...turnLines(why.turn, page),
    '',
    ...(page.isVerbose ? [letIn] : []),
    ...disagreeingLines(why.disagreeing, page),
    ...historyLines(why.changes, page),
    ...versionLines(why, page),
    ...eventLines(why, page),
    ...impactLines(why, page),
    ...(page.isVerbose ? [] : [more]),
  ]
}

/** Claims of any tier with another value. */
const disagreeingLines = (claims: Why['disagreeing'], page: Page): readonly string[] =>
  claims.map((claim) => {
    const words = clip(oneLine(claim.text), Math.max(ROOM_MIN, page.width - 40))
    return `Disagrees: ${page.ink.ref(shortRef(claim.ref))}  ${words}, tier ${claim.tier}`
  })

/** The prompt nearest to the memory, or a note that no captured words come near. */
function turnLines(turn: WriteTurn | null, page: Page): readonly string[] {
  if (turn === null) return []
  const { ink, width } = page
  const { nearestWords, toolResults } = turn
  const tools =
    toolResults.length === 0
      ? []
      : [ink.faint(`  tools answered in this turn: ${toolResults.map(shortRef).join(', ')}`)]
  if (nearestWords === null) return ['', absenceOf(turn), ...tools]
  const { ref, prompt } = nearestWords
  const room = Math.max(ROOM_MIN, width - 6)
  return [
    '',
    `${placeOf(nearestWords, turn)}  ${ink.ref(shortRef(ref))}`,
    ...quoted({ text: prompt ?? '(withheld)', ref }, room, page).map((line) => `  ${line}`),
    ink.faint('  Whether these words state it is for you to judge.'),
    ...tools,
  ]
}

function placeOf({ isSameTurn, session }: NearestWords, turn: WriteTurn): string {
  if (isSameTurn) return 'Said in this turn'
  return session === turn.session ? 'Said earlier in this session' : 'Said in an earlier session'
}

const absenceOf = ({ promptsInSession }: WriteTurn): string =>
  promptsInSession === 0
    ? 'No words of yours were captured in this turn.'
    : 'No words of yours in this turn state it.'

/** Memories made from this memory: their tree where asked for, otherwise their number. */
function impactLines(
  { memory, impact = [], impactCount = 0 }: Explained,
  page: Page,
): readonly string[] {
  if (impact.length > 0) {
    const made = plural(impact.length, 'memory was', 'memories were')
    return [page.ink.strong(`${made} made from it`), ...impactTree(memory.ref, impact, page)]
  }
  if (impactCount === null || impactCount === 0) return []
  const made = plural(impactCount, 'memory was', 'memories were')
  return [`${made} made from it: muniment why ${shortRef(memory.ref)} --impact`]
}

/** Beliefs that stood in this place before and after. */
function versionLines({ versions = [] }: Explained, { ink, now }: Page): readonly string[] {
  if (versions.length < 2) return []
  const lines = versions.map(({ memory, heldFrom, heldUntil }) => {
    const until = heldUntil === null ? 'now' : age(heldUntil, now)
    return `  ${ink.ref(shortRef(memory.ref))}  ${oneLine(memory.text)}  ${ink.faint(`${age(heldFrom, now)} – ${until}`)}`
  })
  return [ink.strong('Beliefs in this place, oldest first'), ...lines]
}
