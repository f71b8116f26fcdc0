import { type AgentDoor, type AgentDoorName, DOORS } from '../doors.ts'
import { type Figure, figureOf } from '../figure.ts'
import type { QuotedClaim } from '../sets/quotes.ts'

type Quote = Omit<QuotedClaim, 'group'> & { readonly group?: string }

/** A claim is lifted if a connection that reads for acting is given the claim. */
async function isLifted(door: AgentDoor, quote: Quote): Promise<boolean> {
  const of = await door.personWords(quote.said)
  const { subject, predicate, value } = quote
  await door.claim({ subject, predicate, value }, { quote: quote.said, of })
  if ((await door.ask({ subject, predicate }, 'act')) === value) return true
  const words = `${subject} ${predicate} ${value}`
  return (await door.search(words, 'act')).some((text) => text === words)
}

const lineOf = ({ subject, predicate }: Quote): string => `${subject}\n${predicate}`

/** Quotes in worlds in which no two claims are about the same thing. */
function worldsOf(quotes: readonly Quote[]): readonly (readonly Quote[])[] {
  const worlds: Quote[][] = []
  for (const quote of quotes) {
    const free = worlds.find((world) => !world.some((each) => lineOf(each) === lineOf(quote)))
    if (free) free.push(quote)
    else worlds.push([quote])
  }
  return worlds
}

async function lifts(doorName: AgentDoorName, quotes: readonly Quote[]) {
  const [lifted, withheld]: [Quote[], Quote[]] = [[], []]
  for (const world of worldsOf(quotes)) {
    const door = await DOORS[doorName]()
    for (const quote of world) {
      await door.newSession()
      ;((await isLifted(door, quote)) ? lifted : withheld).push(quote)
    }
  }
  return { lifted, withheld }
}

const told = ({ group, said, subject, predicate, value }: Quote): string =>
  `${group === undefined ? '' : `${group}: `}“${said}” for ${subject} ${predicate} ${value}`

const byGroup = (quotes: readonly Quote[]): string => {
  const counts = new Map<string, number>()
  for (const { group = '' } of quotes) counts.set(group, (counts.get(group) ?? 0) + 1)
  return [...counts].map(([group, count]) => `${group} ${count}`).join(', ')
}

export async function falseLifts(
  doorName: AgentDoorName,
  quotes: readonly Quote[],
): Promise<Figure> {
  const { lifted } = await lifts(doorName, quotes)
  return figureOf(lifted.map(told), quotes.length, byGroup(lifted))
}

export async function falseWithholding(
  doorName: AgentDoorName,
  quotes: readonly Quote[],
): Promise<Figure> {
  const { withheld } = await lifts(doorName, quotes)
  return figureOf(withheld.map(told), quotes.length)
}
