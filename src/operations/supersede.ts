import { z } from 'zod'
import type { ChangeResult } from '../domain/change.ts'
import { once, RefusedError } from '../domain/errors.ts'
import type { Accepted } from '../domain/write.ts'
import {
  type Changed,
  changedPage,
  changedShape,
  FIRST_HAND,
  outcomeOf,
  settled,
} from './change.ts'
import { type DoorContext, given } from './context.ts'
import { confidence, provenanceFields, ref, refs } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import { shortRef } from './text/words.ts'
import { writtenPage } from './written.ts'

const supersedeInput = once(() =>
  z.strictObject({
    ref: ref(),
    statement: z.string().describe('One whole sentence.'),
    because: provenanceFields().because,
    derivedFrom: refs().optional().describe('What it was made from, in addition to the old one.'),
    confidence: confidence().optional(),
  }),
)

type SupersedeInput = z.output<ReturnType<typeof supersedeInput>>

export const supersede = defineOperation({
  name: 'supersede',
  group: 'claims',
  summary: 'Put a new belief in the place of an old one, which stays in its history.',
  right: 'write',
  input: supersedeInput,
  output: () => z.union([changedShape, shape.written]),
  example: {
    ref: 'belief',
    statement: 'Migrations go a day before the deploy',
    because: 'an hour was not enough for forty million rows',
  },
  notes: [FIRST_HAND],
  tool: 'memory',
  isSaid: true,
  run: supersedeOrPropose,
  text: (result, asked) => {
    if ('changed' in result) return changedPage(result, 'supersede', asked)
    const old = shortRef(String(asked.input.ref))
    const line = `  takes the place of ${old}, which stays in its history`
    return writtenPage(result, asked).toSpliced(1, 0, line)
  },
  outcome: (result) => ('changed' in result ? outcomeOf(result) : 'ok'),
})

/** The new belief, or its proposal where a person has to decide. */
async function supersedeOrPropose(
  context: DoorContext,
  { ref, statement, ...options }: SupersedeInput,
): Promise<Accepted | Changed> {
  const { stack, caller, actor, model: modelId } = context
  const said = { ...given({ ...options, modelId }), caller, actor }
  try {
    return await stack.changes.supersede(ref, statement, said)
  } catch (error) {
    const reason = WAITS.find(
      (each) => error instanceof RefusedError && error.facts.reason === each,
    )
    if (!(error instanceof RefusedError) || reason === undefined) throw error
    const entry = error.facts.entry as ChangeResult['entry'] // written by the stack
    const proposal = { changed: false, reason, entry, flagged: [] } as const
    return settled(context, ref, proposal)
  }
}

const WAITS = ['proposed', 'proposals_full'] as const
