import { utf8 } from '../../ledger/sha256.ts'
import { type Case, holds } from '../manifest/case.ts'
import { seededRandom } from '../world.ts'
import { same } from './compare.ts'
import { needing, type StoreGiven } from './given.ts'

const MEGABYTE = 1_048_576

/** Bytes that a layer above the disk might alter. */
const AWKWARD: readonly (readonly [string, Uint8Array])[] = [
  ['nothing', new Uint8Array()],
  ['NUL first, inside and last', utf8('\0a\0b\0')],
  ['line ends', utf8('\r\n\n\r')],
  ['a byte order mark', utf8('\ufeffx')],
  ['emoji and joiners', utf8('👩‍👩‍👧 🏳️‍🌈 e\u0301 ﷺ')],
  ['quotes and escapes', utf8(`'; DROP TABLE "x"; -- \\ %s $1 ?`)],
  ['every byte', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
  ['what is not UTF-8', Uint8Array.of(0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80)],
  ['a megabyte of zeros', new Uint8Array(MEGABYTE)],
  ['a megabyte of noise', seededRandom(3)(MEGABYTE)],
]

const AWKWARD_TEXTS = ['', ' ', 'ann\0bob', `o'neill "x" %_ \\`, '👩‍👩‍👧', 'e\u0301', 'é', '\ufeff']

export const bytesCases: readonly Case<StoreGiven>[] = [
  holds(
    'STORE-SAME',
    'sealed bytes and salts come back byte for byte',
    async ({ store, scribe, read }) => {
      scribe.birth()
      const states = AWKWARD.map(([, bytes]) => scribe.save({ bytes }))
      const { sealed } = await scribe.commit(store)
      same(await read({ type: 'table', name: 'sealed', from: 0, to: 100 }), sealed, 'all of them')
      for (const [index, [name]] of AWKWARD.entries()) {
        const state = states[index]
        if (!state) continue
        const found = await read({ type: 'memory', ref: state.ref })
        same(found?.sealed, sealed[index], name)
      }
    },
  ),

  holds(
    'STORE-SAME',
    'actors and documents with awkward names are kept apart and kept whole',
    async ({ store, stackId, scribe, read }) => {
      scribe.birth()
      const actorKeys = AWKWARD_TEXTS.map((actor, index) => ({
        actor,
        key: index.toString(16).padStart(64, '0'),
        since: index,
      }))
      const states = AWKWARD_TEXTS.map((text) => {
        const state = { ...scribe.save(), sourceId: text, document: text, session: text }
        scribe.replace(state)
        return state
      })
      await scribe.put({ actorKeys }).commit(store)
      same(
        await read({ type: 'memories', as: 'state', order: 'oldest', limit: 100 }),
        states,
        'rows',
      )
      for (const key of actorKeys) {
        const needs = needing({ actors: [key.actor], until: scribe.time })
        same((await store.gather(stackId, needs)).actorKeys, [key], JSON.stringify(key.actor))
      }
    },
  ),

  holds('STORE-SAME', 'numbers keep every bit', async ({ store, scribe, read }) => {
    scribe.birth()
    const numbers = [0, 1, 0.1, 1 / 3, 5e-324, 0.30000000000000004, 1 - 2 ** -53]
    const states = numbers.map((value) => {
      const saved = scribe.save()
      const state = { ...saved, confidence: { value, at: saved.bornAt } }
      scribe.replace(state)
      return state
    })
    await scribe.commit(store)
    same(await read({ type: 'memories', as: 'state', order: 'oldest', limit: 100 }), states, 'rows')
  }),
]
