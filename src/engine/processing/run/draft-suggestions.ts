import { lowerTier, type Tier } from '../../../domain/doors.ts'
import { labelName } from '../../../domain/labels.ts'
import type { TransitionName } from '../../../domain/vocabulary.ts'
import { cutAtWord } from '../../../recall/cut-at-word.ts'
import { badAnswer, type ModelCalls } from '../../components/model-calls.ts'
import { fenced } from '../../read/fence.ts'
import type { Purse } from '../budget.ts'
import { type Drafted, readAnswer, schemaFor } from '../drafted.ts'
import { promptFor, SYSTEM } from '../prompt.ts'
import { draftedByRule } from '../rules.ts'
import { type Source, transitionNamed } from '../transitions.ts'
import type { Waiting } from './sources.ts'

/** Drafts with their sources, by the names in the citations. */
export interface Draft {
  readonly items: readonly Drafted[]
  readonly sources: ReadonlyMap<string, Source>
  /** The author of the drafts, for provenance. */
  readonly model: string
  /** The lowest tier among the sources in the prompt, which bounds the results. Null by rule. */
  readonly tierMax: Tier | null
}

const SOURCE_CHARS_MAX = 1_000 // of one source in a prompt
const OUTPUT_TOKENS_MAX = 2_000

/** Drafts with a model, which sees only the sources behind a fence. */
export async function draftedByModel(
  calls: ModelCalls,
  name: TransitionName,
  { batch, purse }: { readonly batch: readonly Waiting[]; readonly purse: Purse },
): Promise<Draft> {
  const transition = transitionNamed(name)
  const named = batch.map((waiting, at) => ({ ...waiting, as: `S${at + 1}` }))
  const shown = fenced(
    named.map(({ memory, as }) => ({
      ref: memory.ref,
      text: cutAtWord(memory.text, SOURCE_CHARS_MAX),
      label: labelName(memory.provenance.label),
      tier: memory.tier,
      confidence: memory.confidence,
      also: [as],
    })),
  )
  const { text, model } = await calls.ask(
    {
      task: name,
      system: SYSTEM,
      prompt: promptFor(transition, { count: batch.length, fenced: shown }),
      schema: schemaFor(transition.to),
      outputTokensMax: OUTPUT_TOKENS_MAX,
    },
    purse,
  )
  const items = readAnswer(transition.to, text)
  if (items === null) throw badAnswer(model)
  const tierMax = batch.reduce<Tier>((least, { memory }) => lowerTier(least, memory.tier), 3)
  return { items, model, sources: new Map(named.map(({ as, source }) => [as, source])), tierMax }
}

export const RULE = 'muniment:rules'

/** Drafts by rule, or null without a rule. */
export function draftedFrom(name: TransitionName, batch: readonly Waiting[]): Draft | null {
  const sources = batch.map(({ source }) => source)
  const items = draftedByRule(name, sources)
  const named = new Map(sources.map((each) => [each.ref, each]))
  return items && { items, model: RULE, sources: named, tierMax: null }
}
