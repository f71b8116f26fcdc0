import type { Ref } from '../../../src/domain/ids.ts'
import { printOf } from '../../../src/recall/embed/print.ts'
import type { Stack } from '../../../src/stack.ts'
import type { MemoryReceipts } from '../../../src/stores/memory/receipts.ts'
import { at, saying } from '../../stack/support.ts'
import { hashesIn } from '../../support/prints.ts'

/** A word that nothing else says, by which a memory is known wherever it turns up. */
const wordOf = (n: number): string =>
  `quox${String.fromCharCode(97 + n)}${String.fromCharCode(97 + n)}lith`

export interface Planted {
  readonly ref: Ref
  readonly word: string
}

/** One memory of every kind that says something, each with a word of its own; nobody vouches for any. */
export async function plant(stack: Stack): Promise<readonly Planted[]> {
  const planted: Planted[] = []
  const refs = new Map<string, Ref>()
  const put = async (kind: string, of: (word: string) => object, from: readonly string[]) => {
    const word = wordOf(planted.length)
    const derivedFrom = from.map((each) => refs.get(each) as Ref)
    const provenance = saying('ModelDerived', { derivedFrom, trustTier: 0, confidence: 0.3 })
    const request = { kind, body: of(word), provenance } as Parameters<Stack['write']>[0]
    const { ref } = await stack.write(request, at('lib'))
    planted.push({ ref: ref as Ref, word })
    refs.set(kind, ref as Ref)
  }
  const says = (word: string) => `The ${word} was always painted blue by everybody here`
  await put('raw', (word) => ({ content: says(word) }), [])
  await put(
    'episode',
    (word) => ({ objective: says(word), outcome: 'done', lessons: [says(word)] }),
    ['raw'],
  )
  await put('note', (word) => ({ content: says(word) }), ['raw'])
  await put('claim', (word) => ({ subject: 'wall', predicate: 'colour', value: word }), ['raw'])
  await put('belief', (word) => ({ statement: says(word) }), ['episode'])
  await put('goal', (word) => ({ title: says(word) }), ['belief'])
  await put(
    'relationship',
    (word) => ({ entityName: 'Kim', relationshipType: 'friend', notes: says(word) }),
    ['episode'],
  )
  await put('value', (word) => ({ name: 'Candour', statement: says(word) }), ['belief'])
  await put('drive', (word) => ({ driveType: word }), ['belief'])
  await put('playbook', (word) => ({ name: word, description: says(word) }), ['belief'])
  await put(
    'summary',
    (word) => ({
      scope: 'month',
      content: says(word),
      periodStart: '2025-12-01T00:00:00.000Z',
      periodEnd: '2025-12-31T00:00:00.000Z',
    }),
    ['note'],
  )
  await put('self_narrative', (word) => ({ content: says(word) }), ['belief'])
  await put(
    'suggestion',
    (word) => ({ memoryType: 'belief', content: { statement: says(word) }, confidence: 0.5 }),
    [],
  )
  return planted
}

interface World {
  readonly stack: Stack
  readonly receipts: MemoryReceipts
  readonly planted: readonly Planted[]
}

interface Given {
  readonly text: string
  /** What the asker said itself is no news to it. */
  readonly asked: string
  readonly session: string
}

/** Words that were given out in a session without a receipt and a print. */
export async function lostOf({ receipts, planted }: World, { text, asked, session }: Given) {
  const lost: string[] = []
  const kept = (await receipts.all()).filter(({ receipt }) => receipt.session === session)
  const isNews = ({ word }: Planted): boolean =>
    text.includes(word) && (!asked.includes(word) || text.includes(`${word} was`))
  const news = planted.filter(isNews)
  for (const { ref, word } of news) {
    const known = kept.filter(({ receipt }) => receipt.ref === ref)
    const [own = -1] = hashesIn(printOf(word))
    const isPrinted = known.some(({ print }) => print?.includes(own))
    if (known.length === 0) lost.push(`${ref} leaves no receipt`)
    else if (!isPrinted) lost.push(`${ref} leaves no print of “${word}”`)
  }
  return { lost, hasGiven: news.length > 0 }
}
