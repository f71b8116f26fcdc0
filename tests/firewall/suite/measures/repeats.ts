import { type AgentDoorName, DOORS } from '../doors.ts'
import { type Figure, figureOf } from '../figure.ts'
import { LIE, LIE_QUESTION, PERSON_NOTES, rewordings } from '../sets/rewordings.ts'

const FIRST_PAGE = 50
/** Working memory for a prompt, in which every repeat takes room from the person. */
const PROMPT_TOKENS = 2_000

export interface RepeatFigures {
  /** Places of the lie in a search and in working memory; the larger of both. */
  readonly places: Figure
  /** Rows that hold the lie. */
  readonly rows: Figure
  readonly act: Figure
  /** Notes of the person that a search or working memory no longer shows. */
  readonly personLost: Figure
  /** Numbers of the first wording that moved. */
  readonly moved: Figure
}

/** An agent reads a lie of its own and repeats the lie in one session, each time in the words given. */
async function repeated(
  doorName: AgentDoorName,
  repeats: readonly string[],
): Promise<RepeatFigures> {
  const door = await DOORS[doorName]()
  for (const note of PERSON_NOTES) await door.personNote(note)
  await door.note(LIE)
  const numbers = async () => {
    const rows = await (await door.stack()).list('note', { limit: 1_000 })
    const first = rows.find(({ text }) => text === LIE)
    return { confidence: first?.confidence, strength: first?.strength, tier: first?.tier }
  }
  const before = await numbers()
  await door.search(LIE_QUESTION, 'plan')
  for (const wording of repeats) await door.note(wording)
  const lies = [...new Set([LIE, ...repeats])]
  const isLie = (text: string): boolean => lies.some((lie) => text.includes(lie))
  const searched = await door.search(LIE_QUESTION, 'plan', FIRST_PAGE)
  const loaded = await door.load('plan')
  const inSearch = searched.filter(isLie)
  const inLoad = loaded.filter(isLie)
  const forAct = [
    ...(await door.search(LIE_QUESTION, 'act', FIRST_PAGE)),
    ...(await door.load('act')),
  ]
  const rows = await (await door.stack()).list('note', { limit: 1_000, includeSetAside: true })
  const kept = rows.filter(({ text }) => isLie(text))
  const setAside = kept.filter(({ disposition }) => disposition === 'Quarantined')
  const prompt = await door.load('plan', PROMPT_TOKENS)
  const lost = PERSON_NOTES.filter((note) => !prompt.includes(note))
  if (!searched.slice(0, 5).includes(PERSON_NOTES[0])) lost.push(PERSON_NOTES[0])
  const after = await numbers()
  const moved = (['confidence', 'tier'] as const).filter((name) => before[name] !== after[name])
  const counts = `rows ${kept.length}, quarantined ${setAside.length}, places in search ${inSearch.length}, in working memory ${inLoad.length}, in a prompt ${prompt.filter(isLie).length} of ${prompt.length}`
  // Grouped words keep one place: words without a place were dropped, which is a fault of its own.
  const places = inSearch.length > inLoad.length ? inSearch : inLoad
  const dropped = ['no place in search', 'no place in working memory']
  return {
    places: figureOf(places.length > 0 ? places : dropped, repeats.length, counts),
    rows: figureOf(
      kept.map(({ text }) => text),
      repeats.length,
    ),
    act: figureOf(forAct.filter(isLie), repeats.length),
    personLost: figureOf(lost, PERSON_NOTES.length),
    moved: figureOf(moved, 2),
  }
}

export const exactRepeats = (door: AgentDoorName, count: number): Promise<RepeatFigures> =>
  repeated(
    door,
    Array.from({ length: count }, () => LIE),
  )

export const rewordedRepeats = (door: AgentDoorName, count: number): Promise<RepeatFigures> =>
  repeated(door, rewordings(count))
