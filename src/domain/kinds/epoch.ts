import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { instant, lines, listField, memoryId, optionalText, shortText } from './fields.ts'

const body = () =>
  z
    .strictObject({
      epochNumber: z.int().min(1),
      name: shortText(),
      startedAt: instant(),
      endedAt: instant().exactOptional(),
      triggerType: z.enum(['declared', 'detected', 'system']).default('declared'),
      triggerDescription: optionalText(),
      summary: optionalText(),
      keyBeliefIds: listField(memoryId()),
      keyRelationshipIds: listField(memoryId()),
      keyGoalIds: listField(memoryId()),
      dominantDriveIds: listField(memoryId()),
    })
    .refine(({ startedAt, endedAt }) => endedAt === undefined || startedAt <= endedAt, {
      path: ['endedAt'],
      error: 'may not be before startedAt',
    })

export type EpochBody = StoredBody<typeof body>
export type EpochInput = GivenBody<typeof body>

/** A marker of time, not a memory, so the common fields of memories are absent. */
export const epoch: KindDefinition<EpochBody> = defineKind<EpochBody>({
  kind: 'epoch',
  body,
  text: ({ name, triggerDescription, summary }) => lines(name, triggerDescription, summary),
  asserts: false,
  sources: { min: 0, from: [], revises: false },
  decay: null,
  load: null,
  facets: { name: 'name' },
  confidence: 0.8,
  isProtected: () => false,
})
