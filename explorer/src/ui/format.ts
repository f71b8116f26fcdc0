const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const whole = new Intl.NumberFormat('en')

export const count = (value: number): string => whole.format(value)

export const percent = (value: number): string => `${Math.round(value * 100)} %`

/** The same where a small step counts. */
export const finePercent = (value: number): string => `${(value * 100).toFixed(1)} %`

/** How long ago, in the largest unit that says something. */
export function ago(instant: string, now = Date.now()): string {
  const ms = Date.parse(instant) - now
  const size = Math.abs(ms)
  if (Number.isNaN(ms)) return instant
  if (size < MINUTE_MS) return 'just now'
  if (size < HOUR_MS) return relative.format(Math.round(ms / MINUTE_MS), 'minute')
  if (size < DAY_MS) return relative.format(Math.round(ms / HOUR_MS), 'hour')
  if (size < 60 * DAY_MS) return relative.format(Math.round(ms / DAY_MS), 'day')
  if (size < 700 * DAY_MS) return relative.format(Math.round(ms / (30.44 * DAY_MS)), 'month')
  return relative.format(Math.round(ms / (365.25 * DAY_MS)), 'year')
}

/** As exactly as the ledger has it, readable. */
export const exactly = (instant: string): string =>
  instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`

/** `source_forgotten` and `memory.saved` as people read them. */
export const spoken = (code: string): string => code.replaceAll(/[_.]/g, ' ')

/** Camel case as people read it: `memoryUncertainty`. */
export const spaced = (name: string): string =>
  name.replaceAll(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)

/** The end of a ref is what tells it from others. */
export function shortRef(ref: string): string {
  const [kind = '', id = ''] = ref.split(':')
  return `${kind.replaceAll('_', ' ')} …${id.slice(-6)}`
}

export const shortHash = (hash: string): string => `${hash.slice(0, 10)}…${hash.slice(-6)}`

/** A value of a claim, which may be any JSON. */
export const shown = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** Words on one line, cut at a length. */
export function clipped(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max).trimEnd()}…` : line
}

/** Sets the title of the document. */
export function setTitle(title: string, stack: string): void {
  document.title = `${title} · ${stack} · Muniment`
}
