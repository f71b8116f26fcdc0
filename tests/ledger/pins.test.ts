import { beforeAll, describe, expect, test } from 'vitest'
import { ENTRY_OPS } from '../../src/domain/entry.ts'
import { pseudonymOf, sha256, tombstoneOf } from './naive-hash.ts'
import { verifyLedger } from './naive-verifier.ts'
import { type ShortHistory, shortHistory } from './short-history.ts'
import {
  readFoldedVectors,
  readOldVectors,
  readReceivedVectors,
  readTexts,
  readVectors,
  type Vectors,
  vectorsOf,
  withoutPolicy,
  writeVectorsIfAsked,
} from './vectors.ts'

const FOR_GOOD =
  'The bytes of muniment/ledger/1 are for good: what was written under it must verify for ever.'
const USER_KEY = '64e47a742a817dc29ced2011551cdceb09e822723b869b9d55ecdb991329695e'
const USER = '28ad0dc4cb5c6fef7cfe8023af619d61b833a05ce64ecd0450918eaa62d58ccc'
const TOMBSTONE_KEY = '5f674d90cd0bc209b3a6900565279f2b6bc2514e04503117c6346aca06dab1db'
const MARK = 'c97b8dd6f199446523534e4d4490011a25f154dc2ffae8a991791a1a4b8aab5a'
const SALT = 'ff208380e10093f0cc83c6ac755fb42cd14344204bed7e12e9f4b35782fc5571'
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const GENESIS = 'b5d0c2cd28614b7ef440aafe49a1eaa23a7c4c951145ef981b1e50d4900233f3'
const REWRITE = `${FOR_GOOD} Only where nothing but the default policy, or this history, changed:
  MUNIMENT_WRITE_VECTORS=1 npx vitest run tests/ledger/pins`

let history: ShortHistory
let made: Vectors
let kept: Vectors

beforeAll(async () => {
  history = await shortHistory()
  made = vectorsOf(history)
  writeVectorsIfAsked(made)
  kept = readVectors()
})

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
/** Entries of retired operations, and of those that take two replicas. */
const beside = (): Vectors['entries'] => [
  ...readFoldedVectors().entries,
  ...readReceivedVectors().entries,
]

const opOf = ({ text }: { text: string }): string => JSON.parse(text).op

/** The first of a list, which a pin is never without. */
function first<Item>(items: readonly Item[]): Item {
  const [item] = items
  if (item === undefined) throw new Error('there is nothing to pin')
  return item
}

describe('the vectors', () => {
  test('hold an entry of every operation there is', () => {
    const ops = [...kept.entries, ...beside()].map(opOf)
    expect([...new Set(ops)].sort()).toEqual([...ENTRY_OPS].sort())
  })

  test('are what the program writes today, entry by entry', () => {
    expect(made.entries, REWRITE).toEqual(kept.entries)
  })

  test('are what the program writes today, in everything beside the entries', () => {
    expect({ ...made, entries: [] }, REWRITE).toEqual({ ...kept, entries: [] })
  })

  test('end in the root that an audit gives', async () => {
    const { head, ok } = await history.stack.ledger.audit()
    expect({ ok, root: head.root }).toEqual({ ok: true, root: kept.roots.at(-1) })
  })

  test('verify by the document alone, as they lie in the file', () => {
    expect(problemsIn(kept)).toEqual([])
  })

  test('of a revision that named its sources anew, before there was another way, verify too', () => {
    const old = readOldVectors()
    const revision = first(old.entries.filter((one) => opOf(one) === 'memory.revised'))
    expect(JSON.parse(revision.text).parents).toHaveLength(1)
    expect(problemsIn(old)).toEqual([])
  })

  test('of rewordings that were folded away, overruled and left so verify too', () => {
    const folded = readFoldedVectors()
    expect(folded.entries.map(opOf)).toContain('echo.left')
    expect(folded.entries.some(({ text }) => text.includes('echo_reworded'))).toBe(true)
    expect(problemsIn(folded)).toEqual([])
  })
})

function problemsIn(vectors: Vectors): readonly string[] {
  const zero = '0'.repeat(64)
  return verifyLedger({
    ...vectors,
    entries: vectors.entries.map(({ seq, text, hash }) => {
      const prevHash = vectors.entries[seq - 1]?.hash ?? zero
      return { seq, bytes: Uint8Array.from(Buffer.from(text)), hash, prevHash }
    }),
    sealed: vectors.sealed.map((row) => ({
      ...row,
      salt: bytesOf(row.salt),
      bytes: bytesOf(row.bytes),
    })),
  })
}

describe('whatever the policy', () => {
  test.each([...ENTRY_OPS])('an entry that records %s has this text', (op) => {
    const all = [...made.entries, ...beside()]
    const entry = first(all.filter((one) => opOf(one) === op))
    expect(withoutPolicy(entry.text), FOR_GOOD).toBe(readTexts()[op])
  })

  test('a birth seals this text', () => {
    const { bytes } = first(made.sealed)
    const text = Buffer.from(bytes, 'hex').toString('utf8')
    expect(withoutPolicy(text), FOR_GOOD).toBe(readTexts().sealed)
  })

  test('a change seals this text', () => {
    const notes = made.sealed.map(({ bytes }) => Buffer.from(bytes, 'hex').toString('utf8'))
    expect(
      notes.find((text) => text.startsWith('{"fields"')),
      FOR_GOOD,
    ).toBe(readTexts().note)
  })

  test('a key and a name give this pseudonym', () => {
    const { key } = first(made.actorKeys.filter(({ actor }) => actor === 'vectors:user'))
    const { text } = first(made.entries.filter((one) => opOf(one) === 'memory.saved'))
    const { actor } = JSON.parse(text)
    expect({ key, actor }, FOR_GOOD).toEqual({ key: USER_KEY, actor: USER })
    expect(pseudonymOf(USER_KEY, 'vectors:user')).toBe(USER)
  })

  test('a key, a name and words give this tombstone', () => {
    const { key, sourceId } = made.tombstone
    const rejected = first(made.entries.filter((one) => opOf(one) === 'quarantine.rejected'))
    const { facts } = JSON.parse(rejected.text).decision
    expect({ key, facts }, FOR_GOOD).toEqual({ key: TOMBSTONE_KEY, facts: { tombstone: MARK } })
    const text = ' say it\u3000OFTEN\nenough, \u01f0 '
    expect(tombstoneOf({ key: TOMBSTONE_KEY, kind: 'belief', sourceId, text })).toBe(MARK)
  })

  test('a salt and sealed bytes give the commitment by this formula', () => {
    const { seq, salt, bytes } = first(made.sealed)
    const { commitment } = JSON.parse(made.entries[seq]?.text ?? '')
    const tagged = Buffer.concat([
      Buffer.from('muniment/commit/1\0'),
      bytesOf(salt),
      bytesOf(bytes),
    ])
    expect(salt, FOR_GOOD).toBe(SALT)
    expect(commitment, FOR_GOOD).toBe(sha256(tagged))
  })

  test('genesis has this hash, and these are the roots of nothing and of genesis alone', () => {
    expect(made.roots.slice(0, 2), FOR_GOOD).toEqual([NOTHING, GENESIS])
    expect(first(made.entries).hash, FOR_GOOD).toBe(GENESIS)
  })
})
