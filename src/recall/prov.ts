import type { RecordKind } from '../domain/ids.ts'

/** The fields of a memory that PROV uses. */
export interface ProvMemory {
  readonly ref: string
  readonly kind: RecordKind
  readonly version: number
  readonly entry: number
  readonly time: string
  readonly eventTime: string | null
  readonly sourceType: string
  readonly label: string
  readonly tier: number
  readonly door: string
  readonly sourceId: string
  readonly llmModel: string | null
  readonly policyHash: string
  readonly contentHash: string
  readonly derivedFrom: readonly string[]
  /** The replaced belief. */
  readonly replaces: string | null
}

type Attributes = Record<string, unknown>
type Section = Record<string, Attributes>

/** A PROV-JSON document (W3C Member Submission of 24 April 2013). */
export interface ProvDocument {
  readonly prefix: Readonly<Record<string, string>>
  readonly entity: Section
  readonly activity: Section
  readonly agent: Section
  readonly wasGeneratedBy: Section
  readonly used: Section
  readonly wasDerivedFrom: Section
  readonly wasAttributedTo: Section
  readonly wasAssociatedWith: Section
}

const PREFIX = {
  mun: 'urn:muniment:',
  prov: 'http://www.w3.org/ns/prov#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const

/** Names may hold any character, so each name is encoded as part of a URI. */
const memoryName = (ref: string): string => `mun:memory/${encodeURIComponent(ref)}`
const actName = (entry: number): string => `mun:entry/${entry}`
const agentName = (sourceId: string): string => `mun:actor/${encodeURIComponent(sourceId)}`
const policyName = (hash: string): string => `mun:policy/${hash}`

const typed = (value: string | number, type: string) => ({ $: String(value), type })

/**
 * Memories with parents and actors in W3C PROV: a memory is an entity, the admitting entry an
 * activity, the actor an agent, the policy the agent's plan. Sources outside the document are left
 * out, so every name in the document resolves.
 */
export function provDocument(memories: Iterable<ProvMemory>): ProvDocument {
  const all = [...memories]
  const known = new Set(all.map(({ ref }) => ref))
  const document: ProvDocument = {
    prefix: PREFIX,
    entity: {},
    activity: {},
    agent: {},
    wasGeneratedBy: {},
    used: {},
    wasDerivedFrom: {},
    wasAttributedTo: {},
    wasAssociatedWith: {},
  }
  for (const memory of all) describe(document, memory, known)
  return document
}

function describe(document: ProvDocument, memory: ProvMemory, known: ReadonlySet<string>): void {
  const { ref, entry, time, sourceId, policyHash } = memory
  const [entity, activity, agent] = [memoryName(ref), actName(entry), agentName(sourceId)]
  document.entity[entity] = entityOf(memory)
  document.entity[policyName(policyHash)] = {
    'prov:type': typed('prov:Plan', 'prov:QUALIFIED_NAME'),
  }
  document.activity[activity] = {
    'prov:startTime': time,
    'prov:endTime': time,
    'prov:type': memory.sourceType,
    'mun:door': memory.door,
  }
  document.agent[agent] = {
    'prov:label': sourceId,
    ...(memory.llmModel === null
      ? {}
      : {
          'prov:type': typed('prov:SoftwareAgent', 'prov:QUALIFIED_NAME'),
          'mun:model': memory.llmModel,
        }),
  }
  document.wasGeneratedBy[`_:g${entry}`] = {
    'prov:entity': entity,
    'prov:activity': activity,
    'prov:time': time,
  }
  document.wasAttributedTo[`_:t${entry}`] = { 'prov:entity': entity, 'prov:agent': agent }
  document.wasAssociatedWith[`_:a${entry}`] = {
    'prov:activity': activity,
    'prov:agent': agent,
    'prov:plan': policyName(policyHash),
  }
  for (const [index, parent] of memory.derivedFrom.filter((each) => known.has(each)).entries()) {
    const cited = memoryName(parent)
    const isRevision = parent === memory.replaces
    document.used[`_:u${entry}_${index}`] = {
      'prov:activity': activity,
      'prov:entity': cited,
      'prov:time': time,
    }
    document.wasDerivedFrom[`_:d${entry}_${index}`] = {
      'prov:generatedEntity': entity,
      'prov:usedEntity': cited,
      'prov:activity': activity,
      ...(isRevision ? { 'prov:type': typed('prov:Revision', 'prov:QUALIFIED_NAME') } : {}),
    }
  }
}

/** The export holds provenance only, so the memory's words are left out. */
const entityOf = (memory: ProvMemory): Attributes => ({
  'prov:type': memory.kind,
  'mun:ref': memory.ref,
  'mun:version': typed(memory.version, 'xsd:int'),
  'mun:label': memory.label,
  'mun:tier': typed(memory.tier, 'xsd:int'),
  'mun:contentHash': memory.contentHash,
  ...(memory.eventTime === null
    ? {}
    : { 'mun:eventTime': typed(memory.eventTime, 'xsd:dateTime') }),
})
