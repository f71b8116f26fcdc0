import type { WriteResult } from '../domain/write.ts'
import type { Lines, Speaker, TextContext } from './operation.ts'
import type { Page } from './text/page.ts'
import { reasonWords } from './text/reasons.ts'
import { shortRef } from './text/words.ts'

/** The result of a write, its author, and the command to type next; the captures are in `why`. */
export function writtenPage(result: WriteResult, { who, page }: TextContext): Lines {
  const { ink, isVerbose } = page
  const { disposition, reasons, rule, entry, contradicts = [] } = result
  const why = disposition === 'Quarantined' ? reasons.map(reasonWords) : []
  const ref = result.ref === null ? '' : shortRef(result.ref)
  return [
    `${headline(result, ink.ref(ref), ink)}${sayerOf(result, who)}`,
    ...(result.message === null ? [] : [`  ${result.message}`]),
    ...why.map((reason) => `  ${reason}`),
    ...(result.hint === null ? [] : [ink.hint(`  ${result.hint}`)]),
    ...(isVerbose
      ? [
          `  as ${ink.strong(who.label)}${tierOf(result)}: ${who.because}`,
          `  ${disposition} by the rule ${rule}${entry === null ? '' : `, entry ${entry.seq}`}`,
        ]
      : []),
    ...contradicts.map(
      (each) => `  it contradicts ${ink.ref(shortRef(each))}: muniment review ${ref}`,
    ),
    ...(who.person
      ? []
      : [ink.hint(`  not taken as a person’s word, because ${who.because}: muniment help labels`)]),
    ink.faint(`  next: muniment why ${ref}`),
  ]
}

/** The author, where new words were saved. */
const sayerOf = ({ rule, disposition }: WriteResult, who: Speaker): string => {
  if (rule === 'authority' || disposition === 'Corroborated') return ''
  if (who.person) return ' (you said it)'
  return who.label === 'ModelDerived' ? ' (a program said it)' : ' (a tool said it)'
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
        ? `Said again: ${ref}; its date is refreshed, nothing new is saved.`
        : `An echo of ${ref}; it counts for nothing, and nothing new is saved.`
    case 'Quarantined':
      return `${ink.bad('Set aside:')} ${ref}; not believed until a person accepts it`
    case 'Distrusted':
      return `${ink.bad('Saved, not believed:')} ${ref}; its source is distrusted`
    case 'Contested':
      return `Saved ${ref}, which another first-hand memory contradicts`
    case 'PendingConflict':
    case 'PendingLowConfidence':
    case 'PendingReview':
    case 'QueuedForAdjudication':
      return `Saved ${ref}, waiting for review`
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
