import { SALT_BYTES } from './ledger.ts'
import { hkdfExpand, hkdfExtract, type Sha256, toHex, utf8 } from './sha256.ts'

/**
 * All randomness of a draft, derived from 32 random bytes drawn on arrival. A retry, or another
 * grouping of the same drafts, draws the same values (GROUP-SAME).
 */
export interface Chance {
  salt(index: number): Uint8Array
  /** A candidate key, used only if the actor has none when the draft is decided. */
  actorKey(): string
  /** A candidate key for an origin distrusted before its first write. */
  originKey(): string
  uid(): string
  replica(): string
  /** A UUIDv7 for a record that the gate itself writes. */
  id(purpose: string, timeMs: number): string
}

export function chanceOf(sha256: Sha256, bytes: Uint8Array): Chance {
  const key = hkdfExtract(sha256, new Uint8Array(), bytes)
  const draw = (purpose: string, length: number): Uint8Array =>
    hkdfExpand(sha256, key, infoOf(purpose), length)
  return {
    salt: (index) => draw(`salt/${index}`, SALT_BYTES),
    actorKey: () => toHex(draw('actor-key', 32)),
    originKey: () => toHex(draw('origin-key', 32)),
    uid: () => toHex(draw('uid', 16)),
    replica: () => toHex(draw('replica', 16)),
    id: (purpose, timeMs) => uuid7(timeMs, draw(`id/${purpose}`, 10)),
  }
}

const infos = new Map<string, Uint8Array>()

/** Cached: the purposes are few, and every draft needs each. */
function infoOf(purpose: string): Uint8Array {
  const known = infos.get(purpose)
  if (known) return known
  const info = utf8(`muniment/${purpose}`).slice()
  infos.set(purpose, info)
  return info
}

/** RFC 9562: 48 bits of time, then random bits around the version and the variant. */
export const uuid7 = (timeMs: number, random: Uint8Array): string =>
  uuidOf(timeMs, toHex(random.subarray(0, 10)))

function uuidOf(timeMs: number, hex: string): string {
  // 19 of 20 digits are used, the last ones last, so that counting the bytes up raises the id.
  const time = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, '0').slice(-12)
  const variant = VARIANTS[Number.parseInt(hex.charAt(4), 16) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(1, 4)}-${variant}${hex.slice(5, 8)}-${hex.slice(8, 20)}`
}

const VARIANTS = ['8', '9', 'a', 'b'] as const

/** The n-th capture of a draft, made by the birth or by the given revision. */
export interface CapturePlace {
  readonly index: number
  readonly revision: number
}

/**
 * The id of a capture: dated like its draft, and equal whenever the draft is sent again. The id
 * reveals no words, since ids stand in entries (LEDGER-CONTENTLESS).
 */
export function captureId(sha256: Sha256, of: string, { index, revision }: CapturePlace): string {
  const timeMs = Number.parseInt(of.replace('-', '').slice(0, 12), 16)
  return uuidOf(timeMs, sha256(`muniment/capture/1/${of}/${revision}/${index}`))
}
