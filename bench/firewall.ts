import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stack } from '../src/stack.ts'
import { label } from './built.ts'
import { type Conversation, dataFolder, readConversations } from './recall/data.ts'
import { FILES, type Kept, withConversation } from './recall/stores.ts'
import type { Record } from './report.ts'
import { sized } from './size.ts'

const POISON_EVERY = 20 // turns: one page that nobody vouches for, in the words of a question
const WRITES_MAX = sized(120, 3) // of one conversation
const CITED_MAX = 2 // results that a write rests on

interface Sentence {
  readonly conversation: string
  readonly text: string
}

/** What became of one honest write. */
interface Written {
  readonly set: string
  readonly isLinked: boolean
  readonly isFolded: boolean
  readonly isDowngraded: boolean
}

/**
 * What the firewall costs those who mean no harm: sessions that search as usual in a store that
 * also holds pages nobody vouches for, and write what they found in a model's words.
 */
export async function benchFirewall(record: Record): Promise<void> {
  const folder = dataFolder()
  const file = join(folder ?? '', 'echo', 'locomo-restatements-dev.jsonl')
  if (folder === undefined || !existsSync(file)) {
    console.error('firewall: left out; name a folder with --data=… or MUNIMENT_DATA')
    return
  }
  const sentences = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sentence) // the shape that the data's own notes give
  const written: Written[] = []
  for (const conversation of readConversations(folder)) {
    const own = sentences.filter((each) => each.conversation === conversation.id)
    const texts = own.length > 0 ? own : conversation.questions
    const sayings = texts.slice(0, WRITES_MAX).map(({ text }) => text)
    written.push(...(await writeHonestly(conversation, sayings)))
  }
  for (const set of [...new Set(written.map((each) => each.set)), 'all']) {
    const of = written.filter((each) => set === 'all' || each.set === set)
    const share = (isSo: (each: Written) => boolean) => of.filter(isSo).length / of.length
    const say = (what: string, value: number, more: object = {}) =>
      record({ name: `${set}: honest writes ${what}`, value, unit: 'share', ...more })
    record({ name: `${set}: honest writes`, value: of.length, unit: '' })
    say(
      'linked as another phrasing',
      share(({ isLinked }) => isLinked),
    )
    say(
      'folded away as an echo',
      share(({ isFolded }) => isFolded),
    )
    say(
      'less sure for a dropped hedge',
      share(({ isDowngraded }) => isDowngraded),
    )
  }
}

const writeHonestly = (conversation: Conversation, sayings: readonly string[]) =>
  withConversation(conversation, FILES, async ({ stack }: Kept) => {
    await poison(stack, conversation)
    const written: Written[] = []
    for (const [index, text] of sayings.entries()) {
      const caller = {
        door: 'mcp',
        operation: 'bench',
        person: false,
        grant: null,
        session: `talk ${index}`,
        turn: null,
      } as const
      const found = await stack.search(text, { limit: 10, caller })
      const refs = found.map(({ memoryType, memoryId }) => `${memoryType}:${memoryId}`)
      const cited = refs.filter((ref) => ref.startsWith('raw:')).slice(0, CITED_MAX)
      const [first] = cited
      if (first === undefined) continue
      await stack.history.trace(first, { caller })
      const result = await stack.write(
        {
          kind: 'note',
          body: { content: text },
          provenance: {
            sourceType: 'inference',
            label: label.modelDerived(),
            sourceId: 'a model',
            ingestionPath: 'mcp:bench',
            confidence: 0.9,
            llmModel: 'a model',
            derivedFrom: cited as never, // refs, as search gives them
          },
        },
        caller,
      )
      written.push({
        set: conversation.set,
        isLinked: result.reasons.includes('echo_phrasing'),
        isFolded: result.disposition === 'Corroborated',
        isDowngraded: result.reasons.includes('hedge_dropped'),
      })
    }
    return written
  })

/** Pages in the words of what will be asked, from somebody who is distrusted. */
async function poison(stack: Stack, { turns, questions }: Conversation): Promise<void> {
  const dimensions = { general: { score: 0.1 } }
  await stack.saveTrustAssessment({ entityId: 'a page', dimensions })
  const pages = Math.ceil(turns.length / POISON_EVERY)
  for (let page = 0; page < pages; page += 1) {
    const asked = questions[page % Math.max(1, questions.length)]?.text ?? 'anything'
    await stack.write({
      kind: 'raw',
      body: { content: `${asked} The answer is what this page ${page} says.` },
      provenance: {
        sourceType: 'external',
        label: label.firstHand(),
        sourceId: 'a page',
        ingestionPath: 'lib:bench',
        confidence: 1,
        llmModel: null,
      },
    })
  }
}
