import { nodeSha256 } from '../../compose/node-world.ts'
import type { Entry } from '../../domain/entry.ts'
import { type Ref, splitRef } from '../../domain/ids.ts'
import { definitionOf, parseBody } from '../../domain/kinds/table.ts'
import { isFirstHand, isInferential, labelName } from '../../domain/labels.ts'
import { PROVENANCE_FIELDS, type Provenance, sourcesIn } from '../../domain/provenance.ts'
import type { MemoryState } from '../../domain/state.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { contentHash } from '../../ledger/ledger.ts'
import { type Check, must, mustBeNone } from './check.ts'
import type { Observation } from './observe.ts'

const decoder = new TextDecoder()
const FIELDS = [...PROVENANCE_FIELDS].sort().join()
const FIELDS_REVISED = [...PROVENANCE_FIELDS, 'revisedFrom'].sort().join()

interface Papers {
  readonly entry: Entry
  readonly ref: Ref
  readonly body: object
  readonly provenance: Provenance
}

/** Every birth and revision with its sealed row, in ledger order. */
export function papersIn(after: Observation): readonly Papers[] {
  const sealed = new Map(after.sealed.map((row) => [row.seq, row]))
  return after.entries.flatMap(({ entry }) => {
    const row = sealed.get(entry.seq)
    if (!row || entry.ref === null || entry.revision === null) return []
    return [{ entry, ref: entry.ref, ...JSON.parse(decoder.decode(row.bytes)) }]
  })
}

/** Complete from birth, equal to its body, under a readable policy (PROV-BIRTH). */
export const certificatesAreComplete: Check = ({ after }) => {
  const policies = new Set(
    after.entries.flatMap(({ entry }) =>
      entry.op === 'policy' ? [entry.decision.facts.hash] : [],
    ),
  )
  const wrong = papersIn(after).filter(({ entry, body, provenance }) => {
    const fields = provenance.revisedFrom === undefined ? FIELDS : FIELDS_REVISED
    const isComplete = Object.keys(provenance).sort().join() === fields
    const isSigned = provenance.sourceId.trim() !== '' && provenance.ingestionPath.trim() !== ''
    const isTrue = contentHash(nodeSha256, body) === provenance.contentHash
    const isDated = provenance.timestamp === entry.time && provenance.trustTier === entry.tier
    return !(isComplete && isSigned && isTrue && isDated && policies.has(provenance.policyHash))
  })
  mustBeNone(
    wrong.map(({ entry }) => entry.seq),
    'certificates that are not complete and true',
  )
}

/** Parents exist, are older, have a citable kind, and are never descendants. */
export const lineageIsReal: Check = ({ after }) => {
  const born = new Map<Ref, number>()
  const wrong: unknown[] = []
  for (const { entry, ref, provenance } of papersIn(after)) {
    const { kind } = after.byRef.get(ref) ?? { kind: 'raw' }
    const { sources } = definitionOf(kind)
    const mayCite = (parent: Ref): boolean =>
      sources.from.some((from) => parent.startsWith(`${from}:`)) ||
      (sources.revises && parent.startsWith(`${kind}:`))
    for (const parent of entry.parents) {
      const gone = after.byRef.get(parent.ref)
      const birth = gone?.erased ? gone.seq : born.get(parent.ref)
      if (birth === undefined || birth !== parent.seq || birth >= entry.seq) wrong.push(parent)
      if (!mayCite(parent.ref)) wrong.push([ref, parent.ref])
    }
    const isSeed = provenance.sourceType === 'seed'
    if (entry.parents.length < sources.min && !isSeed) wrong.push([ref, 'no source'])
    if (!born.has(ref)) born.set(ref, entry.seq)
  }
  mustBeNone(wrong, 'parents that are not there, not older or not allowed')
  mustBeNone(refsInCycles(after.memories), 'memories among their own ancestors')
}

interface Hops {
  readonly near: number | null
  readonly far: number | null
}

/** Depth recomputed from the provenance, hop by hop, over every path (LINE-DEPTH). */
export const depthIsCounted: Check = ({ after }) => {
  const known = new Map<Ref, Hops>()
  const wrong = papersIn(after).filter(({ ref, provenance }) => {
    const { depthNearest: near, depthFarthest: far } = provenance
    const isLost = sourcesIn(provenance).some((parent) => after.byRef.get(parent)?.erased)
    const hops = isLost ? { near, far } : hopsOf(ref, provenance, known)
    known.set(ref, hops)
    return hops.near !== provenance.depthNearest || hops.far !== provenance.depthFarthest
  })
  mustBeNone(
    wrong.map(({ ref, provenance }) => [ref, provenance.depthNearest, provenance.depthFarthest]),
    'depths that are not the number of hops',
  )
}

function hopsOf(ref: Ref, provenance: Provenance, known: ReadonlyMap<Ref, Hops>): Hops {
  const name = labelName(provenance.label)
  const isReasoned = isInferential(name, provenance.sourceType)
  if (isFirstHand(name) && !isReasoned) return { near: 0, far: 0 }
  const { kind } = splitRef(ref)
  const { from, revises } = definitionOf(kind).sources
  const ways = sourcesIn(provenance).map((parent) => {
    const own = splitRef(parent).kind === kind && revises && !from.some((each) => each === kind)
    const { near, far } = known.get(parent) ?? { near: null, far: null }
    const hop = isReasoned && !own ? 1 : 0
    return { near: near === null ? null : near + hop, far: far === null ? null : far + hop }
  })
  const nears = ways.flatMap(({ near }) => near ?? [])
  const fars = ways.flatMap(({ far }) => far ?? [])
  const isGrounded = ways.length > 0 && fars.length === ways.length
  return {
    near: nears.length > 0 ? Math.min(...nears) : null,
    far: isGrounded ? Math.max(...fars) : null,
  }
}

/** Repeatedly removes memories without remaining parents; a cycle stays. */
function refsInCycles(memories: readonly MemoryState[]): readonly Ref[] {
  let left = new Map(memories.map(({ ref, parents }) => [ref, parents]))
  for (;;) {
    const waiting = [...left].filter(([, parents]) => parents.some((parent) => left.has(parent)))
    if (waiting.length === left.size) return [...left.keys()]
    left = new Map(waiting)
  }
}

/** No label exceeds its tier, no model exceeds its door, no conclusion exceeds its sources. */
export const tiersAreBounded: Check = ({ after }) => {
  const most = { UserAsserted: 3, ExternalFirstHand: 2, ModelDerived: 1, RecallReEntry: 0 } as const
  const tiers = new Map<Ref, number>()
  const wrong: unknown[] = []
  for (const { entry, ref, provenance } of papersIn(after)) {
    const name = labelName(provenance.label)
    const tier = entry.tier ?? 3
    const bounds: number[] = [most[name]]
    if (entry.door === 'mcp') bounds.push(name === 'ModelDerived' ? 1 : 0)
    if (isInferential(name, provenance.sourceType)) {
      // The tier may have risen before or after: the audit checks the time, and this check the
      // maximum.
      const tierOf = (parent: Ref) =>
        Math.max(tiers.get(parent) ?? 0, after.byRef.get(parent)?.tier ?? 0)
      bounds.push(...entry.parents.map((parent) => tierOf(parent.ref)))
    }
    if (tier > Math.min(...bounds)) wrong.push([ref, tier, bounds])
    if (entry.door === 'mcp' && (name === 'UserAsserted' || name === 'ExternalFirstHand')) {
      wrong.push([ref, name, 'at mcp'])
    }
    tiers.set(ref, tier)
  }
  mustBeNone(wrong, 'tiers above what bounds them')
}

/** As many rows as births, and the counts say so. */
export const rowsAreBirths: Check = ({ after }) => {
  const births = papersIn(after).filter(({ entry }) => entry.revision === 1)
  const refs = births.map(({ ref }) => ref)
  must(new Set(refs).size === refs.length, 'a memory was born twice')
  const rows = after.memories.filter(({ erased }) => erased === null).map(({ ref }) => ref)
  must([...refs].sort().join() === [...rows].sort().join(), 'rows and births differ')
  const counted = Object.values(after.counts).reduce((sum, count) => sum + count, 0)
  must(counted === rows.length, 'the counts are not the number of rows')
}

/** A parsed request as the bytes that a read must return. */
export const wordsOf = (request: { readonly kind: MemoryState['kind']; readonly body: object }) =>
  canonicalize(parseBody(request.kind, request.body))
