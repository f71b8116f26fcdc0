import { type AgentDoorName, DOORS } from '../doors.ts'
import { type Figure, figureOf } from '../figure.ts'
import { LIE, LIE_QUESTION, PERSON_NOTES, rewordings, TRUTH } from '../sets/rewordings.ts'

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

/** An agent reads a lie of its own and repeats the lie, each time in the words given. */
async function repeated(
  doorName: AgentDoorName,
  repeats: readonly string[],
  sessions = 1,
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
  for (const [index, wording] of repeats.entries()) {
    if (index > 0 && index % Math.ceil(repeats.length / sessions) === 0) await door.newSession()
    await door.note(wording)
  }
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

export const rewordedRepeats = (
  door: AgentDoorName,
  count: number,
  sessions = 1,
): Promise<RepeatFigures> => repeated(door, rewordings(count), sessions)

/** The same lie as claims of one line, in which the person has the truth. */
export async function claimedRewordings(
  doorName: AgentDoorName,
  count: number,
): Promise<Pick<RepeatFigures, 'places' | 'personLost'>> {
  const door = await DOORS[doorName]()
  const line = { subject: 'payment code', predicate: 'merge rule' }
  await door.personClaim({ ...line, value: TRUTH })
  await door.claim({ ...line, value: LIE })
  await door.ask(line, 'plan')
  const values = rewordings(count)
  for (const value of values) await door.claim({ ...line, value })
  const lies = [LIE, ...values]
  const isLie = (text: string): boolean => lies.some((lie) => text.includes(lie))
  const searched = (await door.search('merge rule of the payment code', 'plan', FIRST_PAGE)).filter(
    isLie,
  )
  const loaded = (await door.load('plan')).filter(isLie)
  const { beside } = await (await door.stack()).claims.ask(line)
  const counts = `places in search ${searched.length}, in working memory ${loaded.length}, beside the answer ${beside.length}`
  const places = [searched, loaded, beside.map(({ value }) => String(value))].toSorted(
    (a, b) => b.length - a.length,
  )[0]
  const answers = await Promise.all(
    (['chat', 'plan', 'act'] as const).map((use) => door.ask(line, use)),
  )
  return {
    places: figureOf(places ?? [], count, counts),
    personLost: figureOf(answers.filter((answer) => answer !== TRUTH).map(String), answers.length),
  }
}
