import { notCanonical } from './canonical-issues.ts'
import { isPlainArray, isPlainObject } from './plain.ts'
import { utf8 } from './sha256.ts'

const DEPTH_MAX = 128 // nested arrays and objects; the limit also stops a cycle

export interface CanonicalOptions {
  readonly depthMax?: number
}

/** The root lets a refusal deep inside name every bad place from the top. */
interface Job {
  readonly root: unknown
  readonly depthMax: number
}

/**
 * RFC 8785 text of a value that JSON can hold exactly. Every other value is refused, not converted:
 * two different values must never share a text. (-0 is written 0, as the RFC asks.)
 */
export function canonicalize(value: unknown, options: CanonicalOptions = {}): string {
  return write(value, 0, { root: value, depthMax: options.depthMax ?? DEPTH_MAX })
}

export const canonicalBytes = (value: unknown, options?: CanonicalOptions): Uint8Array =>
  utf8(canonicalize(value, options))

function write(value: unknown, depth: number, job: Job): string {
  if (typeof value === 'string') return writeString(value, job)
  // ECMAScript prints a number exactly as the RFC asks.
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value !== 'object' || depth >= job.depthMax) throw notCanonical(job)
  return Array.isArray(value)
    ? writeArray(value, depth + 1, job)
    : writeObject(value, depth + 1, job)
}

// Every code unit but controls, quote, backslash and surrogates: JSON writes these verbatim.
const VERBATIM = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/
// Beyond this length JSON.stringify is quicker than the pattern.
const VERBATIM_CHARS_MAX = 64

function writeString(text: string, job: Job): string {
  if (text.length <= VERBATIM_CHARS_MAX && VERBATIM.test(text)) return `"${text}"`
  if (text.isWellFormed()) return JSON.stringify(text)
  throw notCanonical(job)
}

function writeArray(items: readonly unknown[], depth: number, job: Job): string {
  if (!isPlainArray(items)) throw notCanonical(job)
  let text = '['
  for (let at = 0; at < items.length; at++) {
    if (at > 0) text += ','
    text += write(items[at], depth, job)
  }
  return `${text}]`
}

function writeObject(value: object, depth: number, job: Job): string {
  if (!isPlainObject(value)) throw notCanonical(job)
  let text = '{'
  // The default order of sort is by UTF-16 code units, as the RFC orders keys.
  for (const key of Object.keys(value).sort()) {
    if (text.length > 1) text += ','
    text += `${writeString(key, job)}:${write(value[key], depth, job)}`
  }
  return `${text}}`
}
