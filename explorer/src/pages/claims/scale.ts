/** What a bar needs to know of a claim. */
export interface Spanned {
  readonly saidAt: string
  readonly validFrom: string | null
  readonly validUntil: string | null
}

interface Range {
  readonly from: number
  readonly to: number
}

export interface Scale {
  readonly now: number
  readonly ticks: readonly { readonly x: number; readonly text: string }[]
  readonly spanOf: (claim: Spanned) => {
    readonly x1: number
    readonly x2: number
    readonly said: number
    /** It goes on: nobody said until when. */
    readonly isOpen: boolean
  }
}

const DAY_MS = 86_400_000
const YEAR_MS = 365.25 * DAY_MS

/** The first moment of a date of any granularity. */
const startOf = (date: string): number => Date.parse(date.length === 4 ? `${date}-01-01` : date)

/** The last moment of it: an end includes all of the year, month or day it names. */
function endOf(date: string): number {
  if (date.length === 4) return Date.UTC(Number(date) + 1, 0)
  if (date.length === 7) return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)))
  return date.length === 10 ? Date.parse(date) + DAY_MS : Date.parse(date)
}

const fromOf = ({ validFrom, saidAt }: Spanned): number =>
  validFrom === null ? Date.parse(saidAt) : startOf(validFrom)

/** A scale of valid time on which every claim and the moment of now have a place. */
export function scaleOf(claims: readonly Spanned[], now: number, { from, to }: Range): Scale {
  const ends = claims.flatMap(({ validUntil }) => (validUntil === null ? [] : [endOf(validUntil)]))
  const times = [
    ...claims.map(fromOf),
    ...claims.map(({ saidAt }) => Date.parse(saidAt)),
    ...ends,
    now,
  ]
  const low = times.reduce((least, time) => Math.min(least, time), now)
  const high = times.reduce((most, time) => Math.max(most, time), now)
  const margin = Math.max(DAY_MS, (high - low) * 0.06)
  const [start, end] = [low - margin, high + margin]
  const place = (ms: number): number => from + ((ms - start) / (end - start)) * (to - from)
  return {
    now: place(now),
    ticks: ticksOf(start, end).map(({ ms, text }) => ({ x: place(ms), text })),
    spanOf: (claim) => ({
      x1: place(fromOf(claim)),
      x2: claim.validUntil === null ? to : place(endOf(claim.validUntil)),
      said: place(Date.parse(claim.saidAt)),
      isOpen: claim.validUntil === null,
    }),
  }
}

function ticksOf(
  start: number,
  end: number,
): readonly { readonly ms: number; readonly text: string }[] {
  const years = (end - start) / YEAR_MS
  const months = years > 12 ? 60 : years > 4 ? 12 : years > 1.5 ? 6 : years > 0.6 ? 3 : 1
  const first = new Date(start)
  const ticks: { ms: number; text: string }[] = []
  const year = first.getUTCFullYear()
  for (let month = 0; ; month += months) {
    const ms = Date.UTC(year, month)
    if (ms > end) return ticks
    if (ms < start) continue
    const text = new Date(ms).toISOString()
    ticks.push({ ms, text: months >= 12 ? text.slice(0, 4) : text.slice(0, 7) })
  }
}
