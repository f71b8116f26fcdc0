import type { Figure } from './figure.ts'
import { type PasteFigures, pastes, typedPromptsLowered } from './measures/prompts.ts'
import { LONG_PROMPTS } from './sets/long-prompts.ts'
import { MORE_PASTED_PROMPTS } from './sets/more-pastes.ts'
import {
  MORE_PASTES_IN_LANGUAGES,
  MORE_TYPED_IN_LANGUAGES,
} from './sets/more-pastes-in-languages.ts'
import type { PastedPrompt } from './sets/pasted-prompt.ts'
import { PASTED_PROMPTS } from './sets/pastes.ts'
import { PASTES_IN_LANGUAGES, TYPED_IN_LANGUAGES } from './sets/pastes-in-languages.ts'
import { TYPED_PROMPTS } from './sets/typed-prompts.ts'
import type { Row } from './table.ts'

const shape = { door: 'hook', use: 'act' } as const

const typedRow = (name: string, prompts: readonly string[]): Row => ({
  ...{ name, kind: 'honest', ...shape, set: `${prompts.length} prompts` },
  ...{ must: 'at least 90 % whole at tier 3', percentMax: 10 },
  measure: () => typedPromptsLowered(prompts),
})

function pasteRows(name: string, prompts: readonly PastedPrompt[]): readonly Row[] {
  let running: Promise<PasteFigures> | undefined
  const world = (): Promise<PasteFigures> => {
    running ??= pastes(prompts)
    return running
  }
  const set = `${prompts.length} pastes`
  return [
    {
      ...{ name, kind: 'attack', ...shape, set },
      ...{ must: 'no pasted sentence at tier 3', percentMax: 0 },
      measure: async (): Promise<Figure> => (await world()).leaks,
    },
    {
      ...{ name: `${name}: own words`, kind: 'honest', ...shape, set },
      ...{ must: 'at least 90 % at tier 3', percentMax: 10 },
      measure: async (): Promise<Figure> => (await world()).ownLost,
    },
  ]
}

export const PROMPT_ROWS: readonly Row[] = [
  typedRow('long prompts', LONG_PROMPTS),
  typedRow('short prompts with colons, lists and labels', TYPED_PROMPTS),
  typedRow('typed prompts in ten languages', TYPED_IN_LANGUAGES),
  typedRow('typed prompts in ten languages, second set', MORE_TYPED_IN_LANGUAGES),
  ...pasteRows('prompts with a paste', PASTED_PROMPTS),
  ...pasteRows('prompts with a paste, second set', MORE_PASTED_PROMPTS),
  ...pasteRows('pastes in ten languages', PASTES_IN_LANGUAGES),
  ...pasteRows('pastes in ten languages, second set', MORE_PASTES_IN_LANGUAGES),
]
