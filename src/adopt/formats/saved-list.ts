import { type Fields, nameOf, present, textOf, timeOf } from '../fields.ts'
import { itemsOfJson, type JsonPlace } from '../json-items.ts'
import { Occurrences } from '../markdown.ts'
import { bad, type ReadItem, record, type SourceRecord, skipped } from '../record.ts'
import { linesOf, type SourceFile } from '../source-file.ts'
import { endsIn, type FileHead, type Format } from './format.ts'

const DATED = /^\s*(?:[-*•]\s+)?\[([^\]\n]{4,40})\]\s*(?:[-–—:]\s*)?(\S.*)$/
const DATE = /^(?:\d{4}-\d{2}-\d{2}\b.*|unknown(?: date)?|no date)$/i
const JSON_LIST = /^\s*\{\s*"memories"\s*:\s*\[/

/**
 * Memories that a chat keeps of a person, pasted as a list `[date] - memory`, or as the JSON that
 * ChatGPT's own page of memories loads.
 */
export const savedList: Format = {
  name: 'saved-list',
  tool: 'Saved memories',
  usualPlaces: [],
  wants: endsIn('.txt', '.md', '.json'),
  recognises: ({ file, text }) => {
    if (/\.json$/i.test(file.name)) {
      return JSON_LIST.test(text) && /"content"\s*:\s*"/.test(text) && !/"schema"\s*:/.test(text)
    }
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.length > 0 && dateOf(lines[0] ?? '') !== null
  },
  read: (file, head) =>
    isJson(head) ? itemsOfJson(file, ['$.memories.*'], jsonItem) : readLines(file),
}

const isJson = ({ text }: FileHead): boolean => text.trimStart().startsWith('{')

/** The date of a line of a list; null where the line begins no memory. */
function dateOf(line: string): { readonly date: string; readonly words: string } | null {
  const [, date = '', words = ''] = DATED.exec(line) ?? []
  return DATE.test(date.trim()) ? { date: date.trim(), words } : null
}

async function* readLines(file: SourceFile): AsyncGenerator<ReadItem, void> {
  const keys = new Occurrences()
  let open: { date: string; lines: string[]; from: number } | null = null
  const close = (): readonly ReadItem[] => {
    if (open === null) return []
    const { date, lines, from } = open
    open = null
    const text = lines.join('\n').trim()
    const key = keys.keyOf(JSON.stringify(['listed', date, text]))
    return [record(memoryRecord(text, { key, position: `line ${from}`, time: date }))]
  }
  for await (const { number, text, why } of linesOf(file)) {
    if (text === null) {
      yield bad(`line ${number}`, why ?? 'cannot be read')
      continue
    }
    const dated = dateOf(text)
    if (dated) {
      yield* close()
      open = { date: dated.date, lines: [dated.words], from: number }
    } else if (text.trim() === '') yield* close()
    else if (open) (open as { lines: string[] }).lines.push(text)
    else yield skipped('a line outside the list')
  }
  yield* close()
}

function jsonItem(value: Fields, { position }: JsonPlace): readonly ReadItem[] {
  const text = textOf(value.content)
  if (text === undefined) return [bad(position, 'has no content')]
  const id = nameOf(value.id)
  const key = JSON.stringify(id === undefined ? ['words', text] : ['id', id, text])
  const time = value.created_timestamp ?? value.created_at ?? value.updated_at
  return [record(memoryRecord(text, { key, position, time }))]
}

interface Place {
  readonly key: string
  readonly position: string
  readonly time: unknown
}

/** A model wrote the memory down; the person's own words are not in the list. */
const memoryRecord = (text: string, { key, position, time }: Place): SourceRecord =>
  present({
    key,
    position,
    voice: 'model' as const,
    text,
    time: timeOf(time),
    from: 'saved memories',
    conclusion: {
      kind: 'note' as const,
      body: { content: text, noteType: 'fact' as const, tags: ['saved-memory'] },
    },
  })
