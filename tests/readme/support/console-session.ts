import { Desk } from '../../cli/support/fake-host.ts'
import { scratch } from '../../cli/support/scratch.ts'

interface Step {
  readonly prompt: string
  readonly typed: string
  readonly prints: string
}

const PROMPT = /^(?=(?:agent)?\$ )/m
/** Parts of ids, hashes and keys differ from run to run, and dates from day to day. */
const CHANGING = /\b[0-9a-f]{64}\b|\b[0-9a-f]{8}\b|\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?/g

const stepsOf = (block: string): readonly Step[] =>
  block.split(PROMPT).map((part) => {
    const end = part.indexOf('\n') + 1
    const [, prompt = '', typed = ''] = /^((?:agent)?\$) (.*)$/.exec(part.slice(0, end - 1)) ?? []
    return { prompt, typed, prints: part.slice(end) }
  })

const wordsOf = (typed: string): readonly string[] =>
  [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

/** A line of dots on a page stands for any lines of the output. */
function withoutDots(prints: string, real: string): string {
  const parts = prints.split('…\n')
  if (parts.length === 1) return real
  const [start = '', end = ''] = [parts[0], parts.at(-1)]
  return `${real.slice(0, start.length)}…\n${real.slice(real.length - end.length)}`
}

/** The blocks of a page with the output that their commands have now, on a stack of their own. */
export async function replayed(blocks: readonly string[]): Promise<readonly string[]> {
  const desk = new Desk(scratch())
  const folder = scratch()
  const ids = new Map<string, string>()
  const out: string[] = []
  for (const block of blocks) {
    let text = ''
    for (const { prompt, typed, prints } of stepsOf(block)) {
      const [program, ...args] = wordsOf(typed).map((word) =>
        word.replace(CHANGING, (id) => ids.get(id) ?? id),
      )
      if (program !== 'muniment') throw new Error(`A console block types muniment, not: ${typed}`)
      const options = { folder, columns: 100 }
      const said =
        prompt === '$' ? await desk.person(args, options) : await desk.call(args, options)
      text += `${prompt} ${typed}\n${asOnPage(said.out + said.err, prints, ids)}`
    }
    out.push(text)
  }
  return out
}

/** The output, with the page's own ids where the page has an id at the same place. */
function asOnPage(real: string, prints: string, ids: Map<string, string>): string {
  const shown = real.match(CHANGING) ?? []
  for (const [at, id] of (prints.match(CHANGING) ?? []).entries()) ids.set(id, shown[at] ?? '')
  const back = new Map([...ids].map(([page, actual]) => [actual, page]))
  return withoutDots(
    prints,
    real.replace(CHANGING, (id) => back.get(id) ?? id),
  )
}
