import type { Ref } from '../../../domain/ids.ts'
import { badLine, lineOf, type RowSection } from '../../../ledger/bundle/format.ts'
import type { Progress } from '../../audit/progress.ts'
import type { BundleRows } from './held-bundle.ts'

/**
 * Counters cannot be folded from the ledger, so only the bundle vouches for their numbers; the
 * check covers the entries and memories that they name.
 */
export function checkRows({ bundle, entries }: BundleRows, progress: Progress): void {
  const { header, actorKeys, tallies, bursts, tombstones } = bundle
  const must = (isSo: boolean, section: RowSection, index: number): void => {
    const line = lineOf(header.counts, section, index)
    if (!isSo) throw badLine(line, 'points at something that is not in the ledger')
  }
  const isKnown = (ref: Ref | null): boolean => ref === null || progress.memories.has(ref)
  for (const [index, { since }] of actorKeys.entries()) {
    must(since < entries.length, 'actorKeys', index)
  }
  for (const [index, { entrySeq, entryHash, about }] of tallies.entries()) {
    must(entries[entrySeq]?.hash === entryHash && isKnown(about), 'tallies', index)
  }
  for (const [index, { quarantined }] of bursts.entries()) {
    must(isKnown(quarantined), 'bursts', index)
  }
  for (const [index, { mark, seq }] of tombstones.entries()) {
    must(progress.tombstones.get(mark)?.includes(seq) === true, 'tombstones', index)
  }
}
