import type { WaitingCount } from '../operation.ts'
import type { Resolved, Waiting } from '../review.ts'
import { flagWords, proposalWords } from './change-words.ts'
import { standingOf } from './memory.ts'
import type { Page } from './page.ts'
import { reasonWords } from './reasons.ts'
import {
  age,
  clip,
  grouped,
  oneLine,
  plural,
  rewordingsWords,
  shortRef,
  withShortRefs,
} from './words.ts'

const TITLES: Readonly<Record<Waiting['kind'], string>> = {
  suggestion: 'Suggested',
  quarantine: 'Set aside',
  contest: 'Contested',
  proposal: 'Proposed by a model',
  contradiction: 'Contradicts what was known',
  flagged: 'To look at',
  ungrounded: 'Ungrounded: every source is gone',
}

/** The queue, each item with its reason and the command to type. */
export function reviewPage(
  items: readonly Waiting[],
  { waiting, page }: { readonly waiting: WaitingCount | null; readonly page: Page },
): readonly string[] {
  if (items.length === 0) return ['Nothing waits for a person.']
  const lines = items.flatMap((item) => ['', ...itemLines(item, page)])
  const last = items.at(-1)
  if (waiting === null || waiting.total <= items.length || !last) {
    return [`${plural(items.length, 'memory waits', 'memories wait')} for a person.`, ...lines]
  }
  const all = `${grouped(waiting.total)}${waiting.hasMore ? ' or more' : ''}`
  return [
    `${grouped(items.length)} of ${all} memories that wait for a person.`,
    ...lines,
    '',
    page.ink.faint(`the next: muniment review --after ${shortRef(last.ref)}`),
  ]
}

function itemLines(item: Waiting, { ink, now, width }: Page): readonly string[] {
  const { kind, memory, answers, proposal, rewordings } = item
  const ref = shortRef(item.ref)
  const meant = proposal === null ? '' : ` --proposal ${proposal.seq}`
  const count = rewordings.length
  const counted = kind === 'contest' ? `+${plural(count, 'more claim')}` : rewordingsWords(count)
  const more = count === 0 ? '' : ` · ${counted}`
  const type = `muniment review ${ref} ${answers.join('|')}${meant}`
  return [
    `${ink.ref(ref)}  ${clip(oneLine(wordsOf(memory)), width - ref.length - 2)}`,
    `  ${TITLES[kind]} · ${age(item.since, now)} · tier ${memory.tier}${more}`,
    ...whyItWaits(item).map((line) => `  ${line}`),
    ink.faint(answers.length === 0 ? '  Only more evidence settles this.' : `  ${type}`),
  ]
}

const MAIN_FIELDS = ['statement', 'content', 'title', 'objective', 'name'] as const

/** For a suggestion, the proposed content: its text contains every word of the proposal. */
function wordsOf({ kind, body, text }: Waiting['memory']): string {
  if (kind !== 'suggestion' || !('content' in body)) return text
  const { content } = body
  if (typeof content !== 'object' || content === null) return text
  const proposed: Readonly<Record<string, unknown>> = { ...content }
  const main = MAIN_FIELDS.map((field) => proposed[field]).find(
    (value) => typeof value === 'string',
  )
  return typeof main === 'string' ? main : text
}

const FIELD_CHARS_MAX = 80 // of each value

/** Such as “status: active → completed”. */
function fieldWords({ field, from, to }: Waiting['fields'][number]): string {
  return `${field}: ${valueWords(from)} → ${valueWords(to)}`
}

function valueWords(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return clip(oneLine(text), FIELD_CHARS_MAX)
}

const againstWords = ({ ref, text }: Waiting['memory']): string =>
  `against ${shortRef(ref)}: “${oneLine(text)}”`

function whyItWaits({
  kind,
  memory,
  against,
  proposals,
  fields,
  reasons,
}: Waiting): readonly string[] {
  if (kind === 'contradiction' && against.length > 0) return against.map(againstWords)
  if (kind === 'suggestion') {
    const { memoryType, sourceRefs = [] } = memory.body as {
      readonly memoryType: string
      readonly sourceRefs?: readonly string[]
    } // a suggestion's own body
    const from = sourceRefs.length === 0 ? '' : `, from ${sourceRefs.map(shortRef).join(', ')}`
    return [`would become ${/^[aeiou]/.test(memoryType) ? 'an' : 'a'} ${memoryType}${from}`]
  }
  if (proposals.length > 0) {
    return proposals.flatMap(({ decision, text, seq }) => {
      const said = text === null ? '' : `: “${oneLine(text)}”`
      const which = proposals.length === 1 ? '' : `, --proposal ${seq}`
      const own = fields.filter(({ proposal }) => proposal === seq)
      return [
        `${proposalWords(decision)}${which}${said}`,
        ...own.map((each) => `  ${fieldWords(each)}`),
      ]
    })
  }
  const flags = memory.flags.map(({ code, by }) => flagWords(code, by))
  if (flags.length > 0) return [...new Set(flags)]
  const why = reasons.filter((code) => code !== memory.disposition).map(reasonWords)
  const standing = standingOf(memory)
  if (standing === '') return why
  const others = kind === 'contest' ? against.map(againstWords) : []
  const because = why.join(', ')
  const isTitled = kind === 'quarantine' && because !== ''
  return [isTitled ? because : because === '' ? standing : `${standing}: ${because}`, ...others]
}

export function resolvedPage({ did, became }: Resolved, { ink }: Page): readonly string[] {
  const next = became === null ? [] : [ink.faint(`  next: muniment why ${shortRef(became)}`)]
  return [withShortRefs(did), ...next]
}
