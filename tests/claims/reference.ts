// Section 6.2 and 18.7 of the design and rule 5 of the firewall again, slow and obvious: every question is asked of every pair.

import { dayAt, type Said, yearAt } from './said.ts'

export interface Told {
  readonly standing: 'held' | 'contested' | 'unknown' | 'retracted'
  readonly values: readonly {
    readonly value: string
    readonly places: readonly number[]
    readonly evidence: number
    readonly since: string
    readonly currency: number
    readonly band: string
  }[]
  readonly beside: readonly string[]
}

type Placed = Said & { readonly place: number }

/** Every claim of the line, and those that hold at the moment asked about. */
interface Scene {
  readonly all: readonly Placed[]
  readonly holding: readonly Placed[]
}

const isFirstHand = ({ label }: Said) => label === 'UserAsserted' || label === 'ExternalFirstHand'
const rank = (said: Said) => (isFirstHand(said) ? 0 : said.label === 'ModelDerived' ? 1 : 2)
const isSure = ({ sure }: Said) => sure >= 0.7

export function answer(line: readonly Said[], validAt: string, now: string): Told {
  const all: readonly Placed[] = line.map((said, place) => ({ ...said, place }))
  const seen = all.filter(
    ({ disposition }) => !['Quarantined', 'Rejected', 'Distrusted'].includes(disposition),
  )
  const isGone = ({ word }: Said) => word === 'retracted' || word === 'denied'
  const live = seen.filter((said) => !isGone(said) && !said.isForgotten)
  const holding = live.filter((said) => holds(said, validAt) && isBelievable(said, live))
  const isSet = kindOfLine(seen) === 'SetValued'
  const speaking = isSet
    ? holding
    : holding.filter((said) => !isSilenced(said, { all, holding }, validAt))
  const top = Math.min(...speaking.map(rank))
  const isSaid = speaking.some(isFirstHand)
  const ranked = speaking.filter((said) => (isSet && !isSaid) || rank(said) === top)
  const best = isSet || !isSaid ? ranked : ranked.filter((said) => isAtTheTop(said, ranked))
  const values = [...new Set(best.map(({ value }) => value))].map((value) =>
    valued(
      value,
      best.filter((said) => said.value === value),
      now,
    ),
  )
  const others = speaking.filter((said) => !best.some(({ value }) => value === said.value))
  const wasRetracted = seen.some((said) => isGone(said) && holds(said, validAt))
  return {
    standing:
      values.length > 1 && !isSet
        ? 'contested'
        : values.length > 0
          ? 'held'
          : wasRetracted
            ? 'retracted'
            : 'unknown',
    values,
    beside: [...new Set(others.map(({ value }) => value))],
  }
}

/** Nobody who counts for more says anything else alone: its value is one that the highest tier says. */
function isAtTheTop({ value }: Said, ranked: readonly Said[]): boolean {
  const tiers = ranked.map(({ tier }) => tier)
  return ranked.some((other) => other.value === value && other.tier === Math.max(...tiers))
}

function holds(said: Said, at: string): boolean {
  const isAfterStart = !isSure(said) || said.from === null || yearAt(said.from) <= at
  const isBeforeEnd = !isSure(said) || said.until === null || at < yearAt(said.until)
  return isAfterStart && isBeforeEnd && (said.endedAt === null || at < yearAt(said.endedAt))
}

const isBelievable = (said: Said, live: readonly Said[]) =>
  said.confidence >= 0.2 ||
  live.some((other) => isFirstHand(other) && other.by !== said.by && other.value === said.value)

function kindOfLine(seen: readonly Said[]): string {
  const heard = seen.some(isFirstHand) ? seen.filter(isFirstHand) : seen
  return heard.find(({ cardinality }) => cardinality !== 'Unknown')?.cardinality ?? 'Functional'
}

/** When it begins to be said: its date, or the day on which it was said. */
const begins = (said: Said) =>
  isSure(said) && said.from !== null ? yearAt(said.from) : dayAt(said.day)

/** Somebody put another claim in its place, or the same voice said something else after it. */
function isSilenced(said: Placed, scene: Scene, at: string): boolean {
  if (isOverruled(said, scene, at)) return true
  return scene.holding
    .filter((other) => !isOverruled(other, scene, at))
    .filter(({ by, label }) => by === said.by && label === said.label)
    .filter(({ value }) => value !== said.value)
    .filter(({ tier }) => tier >= said.tier) // nobody takes back what counts for more
    .some((other) => {
      const [mine, its] = [begins(said), begins(other)]
      if (mine <= at && its <= at) return other.place > said.place
      if (mine <= at || its <= at) return its <= at
      return its < mine || (its === mine && other.place < said.place)
    })
}

/** By the claim in its place, by the one in that one's place, and so on. */
function isOverruled(said: Placed, { all, holding }: Scene, at: string): boolean {
  const passed = [said.place]
  for (let next = said.overruledBy; next !== null; ) {
    const place = next
    if (holding.some((other) => other.place === place && begins(other) <= at)) return true
    if (passed.includes(place)) return false
    passed.push(place)
    next = all.find((other) => other.place === place)?.overruledBy ?? null
  }
  return false
}

function valued(value: string, said: readonly Placed[], now: string): Told['values'][number] {
  const near = said.filter(({ depth }) => depth !== null && depth <= 3)
  const days = near.flatMap(({ day, verified }) => [day, verified ?? day])
  const since = near.length > 0 ? Math.max(...days) : Math.min(...said.map(({ day }) => day))
  const age = Math.max(0, Math.floor((Date.parse(now) - Date.parse(dayAt(since))) / 86_400_000))
  const evidence = new Set(near.filter(isFirstHand).map(({ by }) => by)).size
  const base = evidence === 0 ? 0.25 : 1 - 0.5 ** evidence
  return {
    value,
    places: said.map(({ place }) => place),
    evidence,
    since: dayAt(since),
    currency: Math.round(base * 0.95 ** age * 1e9) / 1e9,
    band: age < 30 ? 'Fresh' : age < 90 ? 'AgingUnconfirmed' : 'Decayed',
  }
}
