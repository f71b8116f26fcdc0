import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const SHORT_ID = /\b[0-9a-f]{8}\b/g

interface Step {
  readonly isAgent: boolean
  readonly args: readonly string[]
  readonly prints: string
}

/** A prompt, what is typed, and everything printed until the next prompt. */
function stepsIn(text: string): readonly Step[] {
  const block = /```console\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  return block.split(/^(?=(?:agent)?\$ )/m).map((part): Step => {
    const end = part.indexOf('\n') + 1
    const typed = part.slice(0, end).trim()
    const words = typed.slice(typed.indexOf('muniment') + 'muniment'.length)
    const args = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare)
    return {
      isAgent: part.startsWith('agent'),
      args: args.filter((word) => word !== undefined),
      prints: part.slice(end),
    }
  })
}

test('the commands of the README print what it says, ids apart', async () => {
  const desk = new Desk(scratch())
  const ids = new Map<string, string>()
  const steps = stepsIn(README)
  expect(steps.length).toBeGreaterThan(3)
  for (const { isAgent, args, prints } of steps) {
    const real = args.map((word) => word.replace(SHORT_ID, (id) => ids.get(id) ?? id))
    const { out } = isAgent ? await desk.call(real) : await desk.person(real)
    const shown = [...out.matchAll(SHORT_ID)]
    for (const [index, [id]] of [...prints.matchAll(SHORT_ID)].entries()) {
      ids.set(id, shown[index]?.[0] ?? '')
    }
    expect(out, args.join(' ')).toBe(prints.replace(SHORT_ID, (id) => ids.get(id) ?? id))
  }
})
