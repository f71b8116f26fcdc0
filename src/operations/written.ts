import type { WriteResult } from '../domain/write.ts'
import type { Lines, TextContext } from './operation.ts'
import type { Page } from './text/page.ts'
import { reasonWords } from './text/reasons.ts'
import { shortRef } from './text/words.ts'

/** The result of a write, its label, and the command to type next; the rule and the captures are in `why`. */
export function writtenPage(result: WriteResult, { who, page: { ink } }: TextContext): Lines {
  const { disposition, reasons, contradicts = [] } = result
  const why = disposition === 'Quarantined' ? reasons.map(reasonWords) : []
  const ref = result.ref === null ? '' : shortRef(result.ref)
  return [
    headline(result, ink.ref(ref), ink),
    ...(result.message === null ? [] : [`  ${result.message}`]),
    ...why.map((reason) => `  ${reason}`),
    ...(result.hint === null ? [] : [ink.hint(`  ${result.hint}`)]),
    `  as ${ink.strong(who.label)}${tierOf(result)}: ${who.because}`,
    ...contradicts.map(
      (each) => `  it contradicts ${ink.ref(shortRef(each))}: muniment review ${ref}`,
    ),
    ...(who.by === 'no terminal'
      ? [ink.hint('  If you are a person, show a token: muniment help labels')]
      : []),
    ink.faint(`  next: muniment why ${ref}`),
  ]
}

/** A repeat keeps the tier of the repeated memory, so no tier is shown. */
const tierOf = ({ tier, disposition }: WriteResult): string =>
  tier === null || disposition === 'Corroborated' ? '' : `, tier ${tier}`

function headline(result: WriteResult, ref: string, ink: Page['ink']): string {
  if (result.revised) return `${ink.good('Revised')} ${ref}, version ${result.version ?? ''}`
  if (result.rule === 'authority') return `Proposed for ${ref}; a person decides: muniment review`
  if (result.reasons.includes('repeated')) {
    return `${ink.bad('Counted, not saved:')} ${ref} says the same, and was repeated too often.`
  }
  switch (result.disposition) {
    case 'Corroborated':
      return result.rule === 'restate'
        ? `Said again: ${ref}; its date is refreshed, nothing new is stored.`
        : `An echo of ${ref}; counted as nothing, nothing new is stored.`
    case 'Quarantined':
      return `${ink.bad('Set aside:')} ${ref}; kept, believed by nobody, waiting for a person.`
    case 'Distrusted':
      return `${ink.bad('Kept, not believed:')} ${ref}; where it comes from is distrusted.`
    case 'Contested':
      return `Saved ${ref}, which another first-hand memory contradicts.`
    case 'PendingConflict':
    case 'PendingLowConfidence':
    case 'PendingReview':
    case 'QueuedForAdjudication':
      return `Saved ${ref}, waiting for review.`
    case 'CommittedCheap':
    case 'CommittedInferred':
    case 'Rejected':
    case 'Superseded':
    case 'Invalidated':
    case 'Reinstated':
      return `${ink.good('Saved')} ${ref}`
  }
}

/** Members that the operations of a write share. */
export const WRITE = { isSaid: true } as const
