import type { DoorContext } from '../../operate/context.ts'
import type { Session } from '../session.ts'

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
    stderr.write(`\r${done} of ${total} ${what}${done === total ? '\n' : ''}`)
  }
}
