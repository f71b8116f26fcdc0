import type {
  ComponentHost,
  ComponentMemory,
  Fields,
  StackComponent,
} from '../../ports/component.ts'
import { every } from '../every.ts'
import { askFeelings, EPISODES_PER_RUN_MAX, isAsked } from './ask-feeling.ts'
import { readFeeling } from './read-feeling.ts'

/**
 * Reads into an episode how it felt, where its author did not say so: by the lexicon when the episode
 * is saved, and in maintenance by the model, where the lexicon finds nothing. The reading is kept as an
 * annotation, and what the author said is never written over.
 */
export function emotionsComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'emotions',
    version: '1.0.0',
    required: false,
    needsInference: true,
    saves: ['episode'],
    attach: (given) => {
      host = given
    },
    onSave: ({ memory }) => feltIn(memory as ComponentMemory<'episode'>), // of `saves`
    onMaintenance: async () => host && (await surveyed(host)),
  }
}

function feltIn(memory: ComponentMemory<'episode'>): Fields | null {
  if (isSaid(memory)) return null
  const { objective, outcome } = memory.body
  const feeling = readFeeling(`${objective}\n${outcome}`)
  return feeling && { ...feeling }
}

/** The author said how it felt: even calm is an answer, where it has a name. */
const isSaid = ({ body }: ComponentMemory<'episode'>): boolean =>
  body.emotionalValence !== 0 || body.emotionalArousal !== 0 || body.emotionalTags.length > 0

/** Episodes from before the component came are read now; the model is asked about silent ones. */
async function surveyed(host: ComponentHost): Promise<Fields> {
  let [examined, read] = [0, 0]
  const silent: ComponentMemory<'episode'>[] = []
  const felt: { readonly valence: number; readonly arousal: number }[] = []
  for await (const memory of every(host, ['episode'])) {
    examined += 1
    const known = feelingOf(memory)
    const found = known ?? feltIn(memory)
    if (!known && found && (await host.annotate(memory.ref, found))) read += 1
    const isOpen = !found && !isSaid(memory) && !isAsked(memory)
    if (isOpen && silent.length < EPISODES_PER_RUN_MAX) silent.push(memory)
    if (found) felt.push(found as { valence: number; arousal: number }) // of a feeling
  }
  const asked = silent.length === 0 ? null : await askFeelings(host, silent)
  const mean = (of: (each: (typeof felt)[number]) => number): number =>
    Math.round((felt.reduce((sum, each) => sum + of(each), 0) / Math.max(1, felt.length)) * 1_000) /
    1_000
  return {
    examined,
    felt: felt.length,
    read,
    ...asked,
    ...(felt.length > 0 && {
      meanValence: mean(({ valence }) => valence),
      meanArousal: mean(({ arousal }) => arousal),
    }),
  }
}

/** How an episode felt: as its author said, or else as it was read. */
export function feelingOf(
  memory: Pick<ComponentMemory<'episode'>, 'body' | 'annotations'>,
): { readonly valence: number; readonly arousal: number } | null {
  const { emotionalValence: valence, emotionalArousal: arousal } = memory.body
  if (isSaid(memory as ComponentMemory<'episode'>)) return { valence, arousal }
  const read = memory.annotations.emotions
  return read && typeof read.valence === 'number' && typeof read.arousal === 'number'
    ? { valence: read.valence, arousal: read.arousal }
    : null
}
