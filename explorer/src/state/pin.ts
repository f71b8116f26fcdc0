import { useEffect } from 'preact/hooks'
import type { Checkpoint } from '../../../src/ledger/signed-note.ts'
import { ApiError, call } from '../api/client.ts'
import { useSyncExternalStore } from '../ui/external-store.ts'
import { useLive } from './live.ts'

/** A head that this browser saw and keeps, whatever the server says later. */
export interface Pin extends Checkpoint {
  readonly note: string
  /** Whose heads are believed: the key that signed the first one seen here. */
  readonly key: string
  readonly at: string
  readonly firstAt: string
}

/** How the ledger stands against what this browser holds. */
export type Standing =
  | { readonly type: 'checking' }
  | { readonly type: 'sound'; readonly pin: Pin }
  | { readonly type: 'broken'; readonly pin: Pin; readonly code: string; readonly words: string }
  | { readonly type: 'unchecked'; readonly words: string }

const keyOf = (stack: string): string => `muniment.pin.${stack}`

export function pinOf(stack: string): Pin | null {
  const text = localStorage.getItem(keyOf(stack))
  return text === null ? null : (JSON.parse(text) as Pin) // written below
}

const save = (stack: string, pin: Pin): void =>
  localStorage.setItem(keyOf(stack), JSON.stringify(pin))

/** What a person says who knows why the ledger is another one, as after restoring a backup. */
export function forgetPin(stack: string): void {
  localStorage.removeItem(keyOf(stack))
  set(stack, { type: 'checking' })
}

const standings = new Map<string, Standing>()
const listeners = new Set<() => void>()
const CHECKING: Standing = { type: 'checking' }

function set(stack: string, standing: Standing): void {
  standings.set(stack, standing)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useStanding = (stack: string): Standing =>
  useSyncExternalStore(subscribe, () => standings.get(stack) ?? CHECKING)

/** What each finding means to somebody who never heard of it. */
const WORDS: Readonly<Record<string, string>> = {
  'head.rollback': 'The ledger is shorter than it was: entries are gone.',
  'consistency.fail': 'The ledger is not a continuation of what it was: it was rewritten.',
  'origin.mismatch': 'This is another ledger under the same name.',
  'signature.unknown': 'It is signed by a key that this browser does not know.',
  'signature.invalid': 'Its signature does not fit.',
  refused: 'The server does not sign it any more.',
}

/** Holds the server's ledger against the head that this browser keeps, and keeps the newer one. */
export async function checkPin(stack: string): Promise<Standing> {
  const standing = await checked(stack).catch((error: unknown): Standing => {
    const words = error instanceof Error ? error.message : String(error)
    return { type: 'unchecked', words }
  })
  set(stack, standing)
  return standing
}

async function checked(stack: string): Promise<Standing> {
  const { openCheckpoint, verifyHeads } = await import('../../../src/ledger/verify/index.ts')
  const pin = pinOf(stack)
  if (pin === null) {
    const { note, key } = await call(stack, 'checkpoint', {})
    const head = openCheckpoint(note, [key])
    if (typeof head === 'string') return { type: 'unchecked', words: WORDS[head] ?? head }
    const at = new Date().toISOString()
    const first = { ...head, note, key, at, firstAt: at }
    save(stack, first)
    return { type: 'sound', pin: first }
  }
  const broken = (code: string, words = WORDS[code] ?? code): Standing => ({
    type: 'broken',
    pin,
    code,
    words,
  })
  const grown = await extension(stack, pin)
  if ('code' in grown) return broken(grown.code, grown.words)
  const head = openCheckpoint(grown.checkpoint, [pin.key])
  if (typeof head === 'string') return broken(head)
  const { ok, codes } = verifyHeads(pin, head, grown.proof)
  if (!ok) return broken(codes[0] ?? 'consistency.fail')
  const newer = { ...pin, ...head, note: grown.checkpoint, at: new Date().toISOString() }
  save(stack, newer)
  return { type: 'sound', pin: newer }
}

type Extension =
  | { readonly checkpoint: string; readonly proof: readonly string[] }
  | { readonly code: string; readonly words: string | undefined }

/** What the server shows for its claim that the log only grew; a refusal is a finding as well. */
async function extension(stack: string, { size }: Pin): Promise<Extension> {
  try {
    return await call(stack, 'consistency', { size })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error
    const { head } = await call(stack, 'entries', { limit: 0 })
    if (head.seq + 1 < size) return { code: 'head.rollback', words: undefined }
    if (error.status === 401 || error.status === 429 || error.status === 503) throw error
    return { code: 'refused', words: `${WORDS.refused} It says: ${error.message}` }
  }
}

const AGAIN_MS = 60_000
const LATER_MS = 300
const checkedAt = new Map<string, number>()

/** Checks when a stack is opened, and now and then as it grows. */
export function useChecking(stack: string, isReady: boolean): void {
  const { lot } = useLive()
  useEffect(() => {
    const last = checkedAt.get(stack) ?? Number.NEGATIVE_INFINITY
    if (stack === '' || !isReady || performance.now() - last < AGAIN_MS) return
    checkedAt.set(stack, performance.now())
    // What the page shows comes first.
    setTimeout(() => void checkPin(stack), LATER_MS)
  }, [stack, isReady, lot])
}
