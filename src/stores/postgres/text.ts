import { hash as nodeHash } from 'node:crypto'
import type { PgValue } from './driver.ts'

const NUL = '\0'
const SOH = '\u0001'
const BOM = '\ufeff'

/**
 * PostgreSQL's text cannot hold NUL, which ids and names may hold. NUL is written as two characters
 * that keep the byte order, as are the escape character itself and the BOM, which some drivers
 * strip from a text.
 */
export const toStored = (text: string): string =>
  text.includes(NUL) || text.includes(SOH) || text.includes(BOM)
    ? text
        .replaceAll(SOH, '\u0001\u0002')
        .replaceAll(NUL, '\u0001\u0001')
        .replaceAll(BOM, '\u0001\u0003')
    : text

const UNSTORED: Readonly<Record<string, string>> = { '\u0001': NUL, '\u0002': SOH, '\u0003': BOM }

const ANNOUNCED = new RegExp(`${SOH}(.)`, 'gs')

export const fromStored = (text: string): string =>
  text.includes(SOH) ? text.replace(ANNOUNCED, (_, which) => UNSTORED[which] ?? '') : text

/** A list as one value: PostgreSQL's array syntax, equal for every driver. */
export function listOf(items: readonly PgValue[]): string {
  let list = ''
  for (const item of items) list += `${list === '' ? '' : ','}${elementOf(item)}`
  return `{${list}}`
}

function elementOf(item: PgValue): string {
  if (item === null) return 'NULL'
  if (typeof item === 'number') return String(item)
  if (typeof item === 'string') return quoted(item)
  return `"\\\\x${Buffer.from(item.buffer, item.byteOffset, item.byteLength).toString('hex')}"`
}

const PLAIN = /^[\w:.-]+$/ // nothing that an array would take for its own, and …
const quoted = (text: string): string =>
  PLAIN.test(text) && text !== 'NULL' && text !== 'null' // … not the word for nothing
    ? text
    : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** A hash in hex as an element of a list of bytes. */
export const bytesText = (hex: string | null): string | null => (hex === null ? null : `\\x${hex}`)

const KEY_HEX = 32 // 128 bits

const KNOWN_MAX = 2_000 // texts with cached keys: a few actors and sessions write most
const known = new Map<string, string>()

/**
 * The lookup key of a text of any length: an index row takes at most a third of a page, and names
 * may be longer. The text stands beside the key, and lookups compare both.
 */
export function keyOf(text: string): string {
  const met = known.get(text)
  if (met !== undefined) return met
  const key = nodeHash('sha256', text, 'hex').slice(0, KEY_HEX)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, key)
  return key
}
