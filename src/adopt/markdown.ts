import { parse } from 'yaml'
import { type Fields, fieldsOf } from './fields.ts'

/** A part of a document between two headings, with its lines. */
export interface Section {
  /** The headings above and of the section, outermost first. */
  readonly headings: readonly string[]
  /** Heading and body, as they stand in the document. */
  readonly text: string
  readonly firstLine: number
  readonly lastLine: number
  readonly isEmpty: boolean
}

export interface Document {
  readonly front: Fields
  /** The reason why the front matter could not be read; null otherwise. */
  readonly fault: string | null
  readonly body: string
  /** The number of the first line of the body. */
  readonly bodyLine: number
}

const FRONT = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const FRONT_CHARS_MAX = 65_536
const ALIASES_MAX = 20

/** Splits YAML front matter from the body. */
export function documentOf(text: string): Document {
  const found = FRONT.exec(text)
  const yaml = found?.[1]
  if (!found || yaml === undefined) {
    return { front: {}, fault: null, body: text.replace(/^\uFEFF/, ''), bodyLine: 1 }
  }
  const rest = { body: text.slice(found[0].length), bodyLine: found[0].split('\n').length }
  if (yaml.length > FRONT_CHARS_MAX) return { front: {}, fault: 'front matter too long', ...rest }
  try {
    const front = parse(yaml, { maxAliasCount: ALIASES_MAX, schema: 'core', logLevel: 'silent' })
    return { front: fieldsOf(front), fault: null, ...rest }
  } catch {
    return { front: {}, fault: 'front matter is not YAML', ...rest }
  }
}

const HEADING = /^ {0,3}(#{1,6})[ \t](.*)/s
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** A title without closing marks; a loop, because a pattern would be slow on a hostile line. */
function titleOf(words: string): string {
  const title = words.trim()
  let end = title.length
  while (title[end - 1] === '#') end -= 1
  return title.slice(0, end).trimEnd()
}

/** The sections of a body. A heading inside a code block is text. */
export function sectionsOf(body: string, bodyLine: number): readonly Section[] {
  const sections: Section[] = []
  const above: string[] = []
  let lines: string[] = []
  let firstLine = bodyLine
  let headings: readonly string[] = []
  let fence: string | null = null
  const close = (lastLine: number): void => {
    const text = lines.join('\n').replace(/^\n+/, '').trimEnd()
    const words = headings.length > 0 && HEADING.test(lines[0] ?? '') ? lines.slice(1) : lines
    const isEmpty = !words.some((line) => /\S/.test(line))
    if (/\S/.test(text)) sections.push({ headings, text, firstLine, lastLine, isEmpty })
  }
  const all = body.split(/\r?\n/)
  for (const [index, line] of all.entries()) {
    const mark = FENCE.exec(line)?.[1]
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null
    }
    const heading = fence === null ? HEADING.exec(line) : null
    if (heading) {
      close(bodyLine + index - 1)
      above.length = Math.min(above.length, (heading[1]?.length ?? 1) - 1)
      above.push(titleOf(heading[2] ?? ''))
      headings = above.filter((each) => each !== '')
      lines = []
      firstLine = bodyLine + index
    }
    lines.push(line)
  }
  close(bodyLine + all.length - 1)
  return sections
}

/** Counts equal keys, so that the second of two equal parts has a key of its own. */
export class Occurrences {
  readonly #seen = new Map<string, number>()

  keyOf(text: string): string {
    const count = (this.#seen.get(text) ?? 0) + 1
    this.#seen.set(text, count)
    return count === 1 ? text : `${text}\n#${count}`
  }
}
