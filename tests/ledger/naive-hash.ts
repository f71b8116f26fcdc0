import { createHash, createHmac } from 'node:crypto'
import { canonical, type Json } from './naive-canonical.ts'

export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

export function hashOfEntry(bytes: Uint8Array): string {
  return sha256(Uint8Array.of(0x00), bytes)
}

export function hashOfJson(value: Json): string {
  return sha256(canonical(value))
}

export function commitmentOf(salt: Uint8Array, sealed: Uint8Array): string {
  return sha256('muniment/commit/1', Uint8Array.of(0x00), salt, sealed)
}

export function pseudonymOf(keyHex: string, sourceId: string): string {
  const hmac = createHmac('sha256', Buffer.from(keyHex, 'hex'))
  return hmac.update('muniment/actor/1').update(Uint8Array.of(0x00)).update(sourceId).digest('hex')
}

/** What a mark is made from; the text is that of the memory, before it is made like its equals. */
export type Tombstone = { key: string; kind: string; sourceId: string; text: string }

export function tombstoneOf({ key, kind, sourceId, text }: Tombstone): string {
  const identity = [kind, alike(text)]
  const hmac = createHmac('sha256', Buffer.from(key, 'hex'))
  hmac.update('muniment/tombstone/1').update(Uint8Array.of(0x00))
  return hmac.update(canonical([kind, sourceId, identity])).digest('hex')
}

/** Composed twice: a small letter may have a composed form where the capital has none. */
const alike = (text: string): string => nfc(nfc(text).toLowerCase()).replace(/\s+/g, ' ').trim()

const nfc = (text: string): string => cut(cut(text).normalize('NFC'))
const cut = (text: string): string => text.replace(/\p{M}{33,}/gu, (run) => firstMarks(run))
const firstMarks = (run: string): string => Array.from(run).slice(0, 32).join('')

/** RFC 6962, by the recursion of its own definition. */
export function rootOf(leaves: readonly string[]): string {
  if (leaves.length === 0) return sha256('')
  if (leaves.length === 1) return leaves[0] as string
  const left = largestPowerOfTwoBelow(leaves.length)
  return nodeOf(rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)))
}

function nodeOf(left: string, right: string): string {
  return sha256(Uint8Array.of(0x01), Buffer.from(left, 'hex'), Buffer.from(right, 'hex'))
}

function largestPowerOfTwoBelow(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/**
 * The roots of the full subtrees of a tree, widest first. The document does not say what a kept
 * tree looks like; this is the usual compact form.
 */
export function fullSubtreesOf(leaves: readonly string[]): string[] {
  if (leaves.length === 0) return []
  let width = 1
  while (width * 2 <= leaves.length) width *= 2
  return [rootOf(leaves.slice(0, width)), ...fullSubtreesOf(leaves.slice(width))]
}

/** Joins kept subtrees from the narrow end, which is what the recursion above comes to. */
export function rootOfSubtrees(subtrees: readonly string[]): string {
  const [first, ...rest] = subtrees
  if (first === undefined) return sha256('')
  return rest.length === 0 ? first : nodeOf(first, rootOfSubtrees(rest))
}
