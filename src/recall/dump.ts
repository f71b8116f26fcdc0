import { RECORD_KINDS, type RecordKind } from '../domain/ids.ts'

export interface DumpMemory {
  readonly ref: string
  readonly kind: RecordKind
  readonly text: string
  readonly createdAt: string
  readonly label: string
  readonly tier: number
  readonly confidence: number
  readonly strength: number
  readonly sourceId: string
  readonly derivedFrom: readonly string[]
  readonly tags: readonly string[]
  readonly disposition: string
  readonly isProtected: boolean
}

/**
 * Every memory as one readable document, by kind. Stored text stands in code spans and in fences
 * longer than any run of backticks inside, so no stored word can become part of the document's
 * structure.
 */
export function dumpMarkdown(memories: Iterable<DumpMemory>): string {
  const sections = new Map<RecordKind, string[]>(RECORD_KINDS.map((kind) => [kind, []]))
  let count = 0
  for (const memory of memories) {
    sections.get(memory.kind)?.push(memoryText(memory))
    count += 1
  }
  const parts = [`# Memories\n\n${count} in all.\n`]
  for (const [kind, texts] of sections)
    if (texts.length > 0) parts.push(`## ${kind} (${texts.length})\n`, ...texts)
  return parts.join('\n')
}

function memoryText(memory: DumpMemory): string {
  const { ref, text, createdAt, label, tier, confidence, strength, sourceId } = memory
  const { derivedFrom, tags, disposition, isProtected } = memory
  return [
    `### ${codeSpan(ref)}\n`,
    `${fenced(text)}\n`,
    `- written ${codeSpan(createdAt)} by ${codeSpan(sourceId)}`,
    `- label ${codeSpan(label)}, tier ${tier}, ${codeSpan(disposition)}`,
    `- confidence ${confidence}, strength ${strength}${isProtected ? ', protected' : ''}`,
    `- derived from ${spans(derivedFrom)}`,
    `- tags ${spans(tags)}`,
    '',
  ].join('\n')
}

const spans = (texts: readonly string[]): string =>
  texts.length === 0 ? 'none' : texts.map(codeSpan).join(', ')

/**
 * The fence is longer than any run of backticks in the text, so stored text cannot close the block.
 */
function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}text\n${text}\n${fence}`
}

/** One line of stored text. Line ends become spaces, because a blank line would end the span. */
function codeSpan(text: string): string {
  const line = text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/gu, ' ')
  if (line.trim() === '') return 'none'
  const tick = '`'.repeat(longestRun(line) + 1)
  // A space on either side keeps a backtick of the text from joining the delimiter.
  return tick.length === 1 ? `${tick}${line}${tick}` : `${tick} ${line} ${tick}`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
