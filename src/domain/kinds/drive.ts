import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, lines, listField, shortText, unitInterval } from './fields.ts'

/** Classic names, as examples. Any other short name is valid. */
const CLASSIC_DRIVES = ['existence', 'growth', 'curiosity', 'connection', 'reproduction'] as const

const body = () =>
  z.strictObject({
    driveType: shortText().describe(
      `What moves the agent, for example ${CLASSIC_DRIVES.join(', ')}.`,
    ),
    intensity: unitInterval().default(0.5),
    focusAreas: listField(shortText()),
    ...common(),
  })

export type DriveBody = StoredBody<typeof body>
export type DriveInput = GivenBody<typeof body>

/** A motive of the agent, with intensity and aim. The intensity changes by revision. */
export const drive: KindDefinition<DriveBody> = defineKind<DriveBody>({
  kind: 'drive',
  body,
  text: ({ driveType, focusAreas }) => lines(driveType, ...focusAreas),
  asserts: true,
  sources: { min: 1, from: ['episode', 'belief'], revises: false },
  decay: { rate: 0.005, periodDays: 60, floor: 0.6 },
  load: { base: 0.6, bonus: { from: 'intensity', divisor: 10 } },
  facets: { name: 'driveType' },
  confidence: 0.8,
  isProtected: () => true,
})
