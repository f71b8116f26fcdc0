import { parseRef } from '../domain/ids.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { ComponentHost, ComponentMemory, StackComponent } from '../ports/component.ts'
import { every } from './every.ts'

const DOMAIN_MEMORIES_MIN = 2 // memories needed for a domain: a single tag may be a slip
const STRONG_FROM = 0.7 // mean confidence
const WEAK_BELOW = 0.5
const SHOWN_MAX = 20

const KINDS = ['belief', 'claim', 'episode', 'note', 'goal'] as const

/** The fields of a memory that the scan keeps. */
interface ScannedMemory {
  readonly ref: string
  readonly kind: (typeof KINDS)[number]
  readonly confidence: number
  readonly domains: readonly string[]
  readonly madeFrom: readonly string[]
}

/**
 * A map of the stack's knowledge: domains, their connections, and gaps.
 * @example
 * const stack = await openStack('demo', { path: ':memory:', components: [knowledgeComponent()] })
 */
export function knowledgeComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'knowledge',
    version: '1.0.0',
    required: false,
    needsInference: false,
    attach: (given) => {
      host = given
    },
    onMaintenance: async () => {
      if (!host) return null
      const { domains, connections, gaps, examined } = await surveyed(host)
      return {
        examined,
        domains: domains.length,
        connections: connections.length,
        gaps: gaps.length,
      }
    },
    report: async ({ ref }) => {
      if (!host) return null
      if (typeof ref === 'string') return connectionsOf(host, ref)
      const { domains, connections, gaps, ...figures } = await surveyed(host)
      return {
        ...figures,
        domains: domains.slice(0, SHOWN_MAX).map((domain) => ({ ...domain })),
        connections: connections.slice(0, SHOWN_MAX).map((each) => ({ ...each })),
        gaps: gaps.slice(0, SHOWN_MAX).map((gap) => ({ ...gap })),
      }
    },
  }
}

export interface Domain {
  readonly name: string
  readonly memories: number
  readonly beliefs: number
  readonly meanConfidence: number
  readonly standing: 'strong' | 'fair' | 'weak'
}

/** Two domains with common memories, or with lineage between their memories. */
export interface Connection {
  readonly between: readonly [string, string]
  readonly memories: number
}

export interface Gap {
  readonly domain: string
  readonly why: 'nothing_concluded' | 'unsure' | 'goal_without_belief'
}

async function surveyed(host: ComponentHost) {
  const memories: ScannedMemory[] = []
  let examined = 0
  for await (const memory of every(host, KINDS)) {
    examined += 1
    const { ref, kind, confidence, madeFrom } = memory
    memories.push({ ref, kind, confidence, domains: domainsOf(memory), madeFrom })
  }
  return { examined, ...knowledgeIn(memories) }
}

/** Domains, connections and gaps of the given memories. */
function knowledgeIn(memories: readonly ScannedMemory[]) {
  const byDomain = new Map<string, ScannedMemory[]>()
  for (const memory of memories) {
    for (const name of memory.domains) {
      const members = byDomain.get(name)
      if (members) members.push(memory)
      else byDomain.set(name, [memory])
    }
  }
  const kept = [...byDomain].filter(([, members]) => members.length >= DOMAIN_MEMORIES_MIN)
  const domains = kept
    .map(([name, members]) => domainOf(name, members))
    .sort((a, b) => b.memories - a.memories || (a.name < b.name ? -1 : 1))
  return {
    domains,
    connections: connectionsIn(memories, new Set(domains.map(({ name }) => name))),
    gaps: kept.flatMap(([name, members]) => gapsIn(domainOf(name, members), members)),
  }
}

/** The domains of a memory: its tags, and for a belief the domains that the belief names. */
function domainsOf(memory: ComponentMemory): readonly string[] {
  const isBelief = memory.kind === 'belief'
  const about = isBelief ? aboutOf((memory as ComponentMemory<'belief'>).body) : [] // just asked
  const named = [...about, ...memory.tags].map((name) => name.trim().toLowerCase())
  return [...new Set(named.filter((name) => name !== ''))]
}

const aboutOf = ({
  sourceDomain,
  crossDomainApplications,
}: ComponentMemory<'belief'>['body']): readonly string[] => [
  ...(sourceDomain ? [sourceDomain] : []),
  ...crossDomainApplications,
]

function domainOf(name: string, members: readonly ScannedMemory[]): Domain {
  const sum = members.reduce((all, { confidence }) => all + confidence, 0)
  const mean = Math.round((sum / members.length) * 1_000) / 1_000
  return {
    name,
    memories: members.length,
    beliefs: members.filter(({ kind }) => kind === 'belief').length,
    meanConfidence: mean,
    standing: mean >= STRONG_FROM ? 'strong' : mean < WEAK_BELOW ? 'weak' : 'fair',
  }
}

function gapsIn(domain: Domain, members: readonly ScannedMemory[]): readonly Gap[] {
  const hasGoal = members.some(({ kind }) => kind === 'goal')
  const isBare = domain.beliefs === 0
  return [
    ...(domain.standing === 'weak' ? [{ domain: domain.name, why: 'unsure' } as const] : []),
    ...(isBare && hasGoal ? [{ domain: domain.name, why: 'goal_without_belief' } as const] : []),
    ...(isBare && !hasGoal ? [{ domain: domain.name, why: 'nothing_concluded' } as const] : []),
  ]
}

function connectionsIn(
  memories: readonly ScannedMemory[],
  known: ReadonlySet<string>,
): readonly Connection[] {
  const domainsAt = new Map(memories.map(({ ref, domains }) => [ref, domains]))
  const counts = new Map<string, number>()
  for (const { domains, madeFrom } of memories) {
    const from = madeFrom.flatMap((parent) => domainsAt.get(parent) ?? [])
    const names = new Set([...domains, ...from].filter((name) => known.has(name)))
    for (const pair of pairsOf([...names].sort())) {
      const key = JSON.stringify(pair)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts]
    .map(([key, count]) => ({ between: JSON.parse(key) as [string, string], memories: count }))
    .sort((a, b) => b.memories - a.memories || (a.between.join() < b.between.join() ? -1 : 1))
}

const pairsOf = (names: readonly string[]): readonly (readonly [string, string])[] =>
  names.flatMap((a, at) => names.slice(at + 1).map((b) => [a, b] as const))

/** The memories before and after a memory in its lineage, and the memory's domains. */
async function connectionsOf(host: ComponentHost, ref: string): Promise<JsonObject> {
  const parsed = parseRef(ref)
  const memory = await host.get(parsed)
  const { from, into } = await host.beside(parsed)
  const domains = memory ? domainsOf(memory) : []
  return { ref, from: [...from], into: [...into], domains: [...domains] }
}
