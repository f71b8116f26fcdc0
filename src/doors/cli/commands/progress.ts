import type { DoorContext } from '../../operate/context.ts'
import type { Session } from '../session.ts'

const BAR_CHARS = 24

const bar = (percent: number): string =>
  '#'.repeat(Math.round((percent / 100) * BAR_CHARS)).padEnd(BAR_CHARS, '-')

/** One line that is written over, where somebody is looking; nothing of it goes to stdout. */
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
