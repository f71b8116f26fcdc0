import { KINDS, type Ref, splitRef } from '../../domain/ids.ts'
import { labelName } from '../../domain/labels.ts'
import { sourcesIn } from '../../domain/provenance.ts'
import { type ProvDocument, type ProvMemory, provDocument } from '../../recall/prov.ts'
import type { Engine } from '../engine.ts'
import { beliefHistory } from '../history/belief-history.ts'
import { trace } from '../history/why.ts'
import { findAll } from '../read/list.ts'
import type { Memory } from '../read/memory-view.ts'

/** Provenance of one memory or of all memories as W3C PROV-JSON. */
export async function provOf(engine: Engine, ref: Ref | null): Promise<ProvDocument> {
  const memories = ref === null ? await everything(engine) : await lineageOf(engine, ref)
  return provDocument(await Promise.all(memories.map((memory) => asProv(engine, memory))))
}

const lineageOf = async (engine: Engine, ref: Ref): Promise<readonly Memory[]> =>
  (await trace(engine, ref)).map(({ memory }) => memory)

async function everything(engine: Engine): Promise<readonly Memory[]> {
  const all: Memory[] = []
  for (const kind of KINDS) {
    const found = await findAll(engine, kind, { includeForgotten: true, includeSetAside: true })
    for (const memory of found) all.push(memory) // no spread: the number of arguments of a call is limited
  }
  return all.sort((a, b) => a.entry.seq - b.entry.seq)
}

async function asProv(engine: Engine, memory: Memory): Promise<ProvMemory> {
  const { provenance, ref, kind } = memory
  return {
    ref,
    kind,
    version: memory.version,
    entry: memory.entry.seq,
    time: provenance.timestamp,
    eventTime: provenance.eventTime,
    sourceType: provenance.sourceType,
    label: labelName(provenance.label),
    tier: memory.tier,
    door: provenance.ingestionPath.split(':')[0] ?? '',
    sourceId: provenance.sourceId,
    llmModel: provenance.llmModel,
    policyHash: provenance.policyHash,
    contentHash: provenance.contentHash,
    derivedFrom: sourcesIn(provenance),
    replaces: await replacedBy(engine, memory),
  }
}

/** Only a belief can replace another, and the new belief cites the old. */
async function replacedBy(engine: Engine, { ref, kind, provenance }: Memory): Promise<Ref | null> {
  const citesBelief = sourcesIn(provenance).some((parent) => splitRef(parent).kind === 'belief')
  if (kind !== 'belief' || !citesBelief) return null
  const versions = await beliefHistory(engine, ref)
  return versions.find(({ memory }) => memory.ref === ref)?.replaces ?? null
}
