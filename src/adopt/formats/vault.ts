import { NOTE_TYPES } from '../../domain/kinds/note.ts'
import { type Fields, fieldsOf, nameOf, oneOf, tagsOf, timeOf } from '../fields.ts'
import { documentOf, Occurrences, sectionsOf } from '../markdown.ts'
import { bad, type ReadItem, record, skipped, type Voice } from '../record.ts'
import { documentText, type SourceFile } from '../source-file.ts'
import { endsIn, type FileHead, type Format, type UsualPlace } from './format.ts'

// `- [decision] Use JWT #security (for now)`; a task such as `- [x] done` is prose.
const OBSERVATION = /^\s*[-*]\s+\[([^\][\n]{2,60})\]\s+(\S.*)$/
// `- implements [[Search Design]] (context)`
const RELATION =
  /^\s*[-*]\s+(?:([^[\]\s][^[\]\n]{0,59}?)\s*)?\[\[([^\][\n|]{1,200})(?:\|[^\]\n]*)?\]\]\s*(?:\(([^()]*)\)\s*)?$/
const TAG = /(?:^|\s)#([\p{L}\p{N}_/-]{1,60})/gu

const pathsIn = (list: unknown): readonly unknown[] =>
  Object.values(fieldsOf(list)).map((each) => fieldsOf(each).path ?? each)

/** basic-memory: markdown notes with observations and relations, mostly written by a model. */
export const basicMemory: Format = {
  name: 'basic-memory',
  tool: 'basic-memory',
  usualPlaces: [
    { under: 'home', path: 'basic-memory' },
    {
      under: 'home',
      path: '.basic-memory/config.json',
      names: ({ projects }) => pathsIn(projects),
    },
  ],
  wants: endsIn('.md'),
  recognises: (head) => {
    if (!/\.md$/i.test(head.file.name)) return false
    const { front, body } = documentOf(head.text)
    return (
      typeof front.permalink === 'string' || body.split('\n').some((line) => OBSERVATION.test(line))
    )
  },
  read: (file) => read(file, 'model'),
}

/** The list of vaults that Obsidian keeps, on each system. */
const OBSIDIAN_SETTINGS = ['.config', 'Library/Application Support', 'AppData/Roaming'].map(
  (folder): UsualPlace => ({
    under: 'home',
    path: `${folder}/obsidian/obsidian.json`,
    names: ({ vaults }) => pathsIn(vaults),
  }),
)

/** An Obsidian vault: a folder of a person's own markdown notes. */
export const obsidian: Format = {
  name: 'obsidian',
  tool: 'Obsidian',
  usualPlaces: [
    { under: 'folder', path: '.', marked: '.obsidian' },
    { under: 'home', path: '*', marked: '.obsidian' },
    { under: 'home', path: 'Documents/*', marked: '.obsidian' },
    ...OBSIDIAN_SETTINGS,
  ],
  wants: endsIn('.md'),
  recognises: ({ file, isInVault }: FileHead) => isInVault && /\.md$/i.test(file.name),
  read: (file) => read(file, 'document'),
}

async function* read(file: SourceFile, voice: Voice): AsyncGenerator<ReadItem, void> {
  const { front, fault, body, bodyLine } = documentOf(await documentText(file))
  if (fault !== null) yield bad('line 1', fault)
  const stem = (file.name.split(/[\\/]/).at(-1) ?? file.name).replace(/\.md$/i, '')
  const title = nameOf(front.title) ?? nameOf(stem) ?? file.name
  const place: NotePlace = {
    file,
    title,
    voice,
    time: timeOf(front.modified ?? front.updated ?? front.created ?? front.date ?? file.changedMs),
    tags: tagsIn(front),
    author: nameOf(front.author),
  }
  const keys = new Occurrences()
  const prose: string[] = []
  for (const [index, line] of body.split(/\r?\n/).entries()) {
    const item = conclusionIn(line, { ...place, line: bodyLine + index }, keys)
    // A line that became a conclusion leaves its place empty, so that line numbers stay.
    prose.push(item === null ? line : '')
    if (item !== null) yield item
  }
  for (const section of sectionsOf(prose.join('\n'), bodyLine)) {
    if (section.isEmpty) yield skipped('a heading without text')
    else {
      const from = [title, ...section.headings.filter((heading) => heading !== title)].join(' › ')
      const { time, author } = place
      yield record({
        key: `${file.path}\n${keys.keyOf(section.text)}`,
        position: `lines ${section.firstLine}–${section.lastLine}`,
        voice: 'document' as const,
        text: section.text,
        time,
        author,
        from,
      })
    }
  }
}

interface NotePlace {
  readonly file: SourceFile
  readonly title: string
  readonly voice: Voice
  readonly time: ReturnType<typeof timeOf>
  readonly tags: readonly string[]
  readonly author: string | undefined
}

function tagsIn({ tags }: Fields): readonly string[] {
  const listed = typeof tags === 'string' ? tags.split(/[,\s]+/) : tags
  return tagsOf(Array.isArray(listed) ? listed.filter((tag) => tag !== '') : [])
}

/** An observation or a relation of the line; null for prose. */
function conclusionIn(
  line: string,
  place: NotePlace & { readonly line: number },
  keys: Occurrences,
): ReadItem | null {
  const { title } = place
  const observed = OBSERVATION.exec(line)
  if (observed) {
    const [, category = '', words = ''] = observed
    const noteType = oneOf(category.toLowerCase(), NOTE_TYPES) ?? 'observation'
    const tags = [...words.matchAll(TAG)].map(([, tag]) => tag)
    const more = { contextTags: tagsOf(category), tags: tagsOf(place.tags, tags) }
    return noteItem(line, { content: `${title}: ${words.trim()}`, noteType, ...more }, place, keys)
  }
  const related = RELATION.exec(line)
  if (!related) return null
  const [, relation = '', target = '', context = ''] = related
  const type = relation.trim() === '' ? 'links to' : relation.trim()
  const content = `${title} ${type} ${target}${context === '' ? '' : ` (${context})`}`
  const more = { contextTags: tagsOf('relation', type, target), tags: place.tags }
  return noteItem(line, { content, noteType: 'fact', ...more }, place, keys)
}

interface NoteWords {
  readonly content: string
  readonly noteType: (typeof NOTE_TYPES)[number]
  readonly contextTags: readonly string[]
  readonly tags: readonly string[]
}

function noteItem(
  line: string,
  { content, noteType, contextTags, tags }: NoteWords,
  { file, title, voice, time, author, line: number }: NotePlace & { readonly line: number },
  keys: Occurrences,
): ReadItem {
  const body = { content, noteType, context: title, contextTags: [...contextTags], tags: [...tags] }
  return record({
    key: `${file.path}\n${keys.keyOf(line)}`,
    position: `line ${number}`,
    voice,
    text: line.trim(),
    time,
    author,
    from: title,
    conclusion: { kind: 'note' as const, body },
  })
}
