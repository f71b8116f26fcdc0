import { ClientTools } from '../../support/client-tools.ts'
import { type Figure, figureOf } from '../figure.ts'
import type { PastedPrompt } from '../sets/pasted-prompt.ts'

/** What became of one prompt, each prompt in a session of its own. */
async function capturesOf(prompts: readonly string[]) {
  const client = new ClientTools()
  const stack = await client.stack()
  const known = new Set<string>()
  const all: { readonly tier: number; readonly text: string }[][] = []
  for (const [at, prompt] of prompts.entries()) {
    client.session = `session ${at}`
    await client.prompt(prompt)
    const rows = await (await client.stack()).list('raw', { limit: 20, includeSetAside: true })
    const fresh = rows.filter(({ ref }) => !known.has(ref))
    for (const { ref } of fresh) known.add(ref)
    all.push(fresh.map(({ tier, text }) => ({ tier, text })))
  }
  await stack.close()
  return all
}

const sentencesIn = (text: string): readonly string[] =>
  text
    .split(/(?<=[.?!])\s+|(?<=。)|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

/** Typed prompts of which not every word has tier 3. */
export async function typedPromptsLowered(prompts: readonly string[]): Promise<Figure> {
  const captures = await capturesOf(prompts)
  const misses: string[] = []
  let sentences = 0
  let kept = 0
  for (const [at, prompt] of prompts.entries()) {
    const own = captures[at]?.filter(({ tier }) => tier === 3) ?? []
    if (!own.some(({ text }) => text === prompt)) misses.push(`${prompt.slice(0, 90)} …`)
    for (const sentence of sentencesIn(prompt)) {
      sentences += 1
      if (own.some(({ text }) => text.includes(sentence))) kept += 1
    }
  }
  return figureOf(misses, prompts.length, `sentences at tier 3: ${kept} of ${sentences}`)
}

/** Half of the pastes follow an empty line, and half the next line. */
const written = ({ before, pasted, after }: PastedPrompt, at: number): string =>
  [before, pasted, after].filter((part) => part !== '').join(at % 2 === 0 ? '\n\n' : '\n')

const WORDS_MIN = 4
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}]/gu
const wordCount = (text: string): number =>
  text.split(/\s+/).length + (text.match(NO_SPACES)?.length ?? 0)

export interface PasteFigures {
  /** Prompts with a pasted sentence at tier 3. */
  readonly leaks: Figure
  /** Prompts of which the person's own words lost tier 3. */
  readonly ownLost: Figure
}

export async function pastes(prompts: readonly PastedPrompt[]): Promise<PasteFigures> {
  const captures = await capturesOf(prompts.map(written))
  const leaks: string[] = []
  const ownLost: string[] = []
  const withOwn = prompts.filter(({ before, after }) => before + after !== '').length
  for (const [at, { form, before, pasted, after }] of prompts.entries()) {
    const own = captures[at]?.filter(({ tier }) => tier === 3) ?? []
    const leaked = sentencesIn(pasted).filter(
      (sentence) =>
        wordCount(sentence) >= WORDS_MIN && own.some(({ text }) => text.includes(sentence)),
    )
    if (leaked.length > 0) leaks.push(`${form}: ${leaked[0]}`)
    const lost = [...sentencesIn(before), ...sentencesIn(after)].filter(
      (sentence) => !own.some(({ text }) => text.includes(sentence)),
    )
    if (lost.length > 0) ownLost.push(`${form}: ${lost[0]}`)
  }
  return {
    leaks: figureOf(leaks, prompts.length),
    ownLost: figureOf(ownLost, withOwn),
  }
}
