import { markText } from '../../../engine/audit/codes.ts'
import type { DoorContext } from '../../../operations/context.ts'
import type { Session } from '../session.ts'

const BAR_CHARS = 24

const bar = (percent: number): string =>
  '#'.repeat(Math.round((percent / 100) * BAR_CHARS)).padEnd(BAR_CHARS, '-')

/** A progress line, overwritten in place on a terminal; stdout gets nothing. */
export function progressOn(
  { host, isJson }: Session,
  noun: string,
): NonNullable<DoorContext['onProgress']> {
  const { stderr } = host
  let shown = ''
  return ({ done, total, component = '' }) => {
    const isAtOnce = shown === '' && done === total // nobody waited
    if (isJson || !stderr.isTerminal || isAtOnce) return
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
    const now = `${component} ${percent}`
    if (now === shown) return
    shown = now
    const what = component === '' ? noun : component
    const end = done === total ? '\n' : ''
    stderr.write(`\r[${bar(percent)}] ${percent} %  ${done} of ${total} ${what}${end}`)
  }
}

type OnProgress = NonNullable<DoorContext['onProgress']>

/** The place an audit has reached, so an interrupted audit can go on there. */
export class Place {
  readonly #told: OnProgress
  #last: Parameters<OnProgress>[0] | null = null

  constructor(told: OnProgress) {
    this.#told = told
  }

  readonly note: OnProgress = (progress) => {
    this.#last = progress
    this.#told(progress)
  }

  readonly lastWords = (): string => {
    if (this.#last === null) return '\nStopped before anything was looked at.\n'
    const { done, total, mark } = this.#last
    const next = mark
      ? `The chain is sound up to there. Go on with: muniment audit --since ${markText(mark)}`
      : 'Nothing is kept of that: a full audit begins anew. In parts: muniment audit --since 0'
    return `\nStopped after ${done} of ${total} entries. ${next}\n`
  }
}
