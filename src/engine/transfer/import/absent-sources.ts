import type { Ref, StackId } from '../../../domain/ids.ts'
import { splitRef } from '../../../domain/ids.ts'
import { definitionOf } from '../../../domain/kinds/table.ts'
import { reasonCaptures } from '../../write/reason-captures.ts'
import type { CaptureRequest } from '../../write/write-request.ts'
import type { DumpItem } from './dump.ts'
import type { Group } from './order.ts'

interface KnownSources {
  /** Every memory that the file names, refused memories included. */
  readonly inFile: ReadonlySet<Ref>
  readonly isHere: (ref: Ref) => Promise<boolean>
}

/**
 * Sources that neither the file nor this stack holds: an export leaves out forgotten memories. A
 * refused source in the file is not missing, and its children are refused too.
 */
export async function missingSources(
  items: readonly DumpItem[],
  { inFile, isHere }: KnownSources,
): Promise<ReadonlySet<Ref>> {
  const cited = new Set(items.flatMap(({ parents, evidence }) => [...parents, ...evidence]))
  const missing = new Set<Ref>()
  for (const ref of cited) if (!inFile.has(ref) && !(await isHere(ref))) missing.add(ref)
  return missing
}

/** The memory without its missing sources, which are listed instead. */
export function withoutMissing(item: DumpItem, missing: ReadonlySet<Ref>): DumpItem {
  if (missing.size === 0) return item
  const isLeft = (ref: Ref): boolean => !missing.has(ref)
  return {
    ...item,
    parents: item.parents.filter(isLeft),
    evidence: item.evidence.filter(isLeft),
    missing: item.parents.filter((ref) => !isLeft(ref)),
  }
}

const NAMED_MAX = 5 // refs in one sentence

/** Captures in place of missing sources, with a description; none beside an allowed source. */
export function standInCaptures(
  { main, captures, parents }: Group,
  stackId: StackId,
): readonly CaptureRequest[] {
  const [first] = captures
  const missing = first ? first.missing : main.missing
  if (missing.length === 0) return []
  const reason = reasonFor(missing, stackId)
  if (first) return first.kind === 'raw' ? [] : reasonCaptures('note', reason)
  const { from } = definitionOf(main.kind).sources
  const hasSource = parents.some((ref) => from.some((kind) => kind === splitRef(ref).kind))
  return hasSource ? [] : reasonCaptures(main.kind, reason)
}

function reasonFor(missing: readonly Ref[], stackId: StackId): string {
  const named = missing.slice(0, NAMED_MAX).join(', ')
  const more = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : ''
  return `A source from the stack “${stackId}” is not in the imported file: ${named}${more}.`
}
