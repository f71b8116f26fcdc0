import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { ReportBody, ReportTopic } from '../../domain/kinds/report.ts'
import { label } from '../../domain/labels.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'
import type { WriteRequest } from '../write/write-request.ts'

/** The key of a report within its topic. */
export interface ReportKey {
  readonly topic: ReportTopic
  readonly about: string
}

/** The write of a report: the stack observed the facts, so the label is first-hand. */
export const reportRequest = (
  { stackId }: Pick<Engine, 'stackId'>,
  { topic, about }: ReportKey,
  fields: JsonObject,
): WriteRequest<'report'> => ({
  kind: 'report',
  body: { topic, about, fields },
  provenance: {
    sourceType: 'observation',
    label: label.firstHand(),
    sourceId: `${stackId}:host`,
    ingestionPath: `lib:${topic}`,
    confidence: 1,
    llmModel: null,
  },
})

/** The latest report of a key; null without one. */
export async function latestReport(
  { read }: Pick<Engine, 'read'>,
  { topic, about }: ReportKey,
): Promise<JsonObject | null> {
  const where = { subtype: topic, name: about }
  const [stored] = await read({
    type: 'memories',
    where: { ...where, kind: 'report', present: true },
    limit: 1,
  })
  return stored ? fieldsOf(stored) : null
}

/** Every report of a topic, newest first, until the consumer stops. */
export async function* reportsOf(
  { read }: Pick<Engine, 'read'>,
  topic: ReportTopic,
): AsyncGenerator<StoredMemory> {
  for (let before: number | null = null; ; ) {
    const page: readonly StoredMemory[] = await read({
      type: 'memories',
      where: { kind: 'report', present: true, subtype: topic },
      after: before,
      limit: PAGE,
    })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    before = last.state.seq
  }
}

const PAGE = 100

export const reportBody = ({ sealed }: StoredMemory): ReportBody =>
  (sealed ? openSealed(sealed).body : NOTHING) as ReportBody // parsed before sealing

export const fieldsOf = (stored: StoredMemory): JsonObject =>
  reportBody(stored).fields as JsonObject // a JSON object by its schema

const NOTHING = { topic: 'component', about: '', fields: {} }
