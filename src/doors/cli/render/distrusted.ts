import type { Ref } from '../../../domain/ids.ts'
import type { Answer } from '../../../engine/claims/answer.ts'
import { answerWords, differencesOf } from '../../../engine/claims/answer-differences.ts'
import type { DistrustedOrigin, Turned } from '../../../engine/distrust/distrust.ts'
import type { WhatIf } from '../../../engine/distrust/what-if.ts'
import type { DistrustAnswer } from '../../operate/distrust.ts'
import type { Who } from '../caller.ts'
import { proposedLines } from './changed.ts'
import type { Page } from './page.ts'
import { clip, oneLine, plural, shortRef } from './words.ts'

const SHOWN_MAX = 20 // --json has every one

interface DistrustRequest {
  /** The named memory; null for an origin. */
  readonly ref: Ref | null
  readonly who: Who
}

/** Distrusted origins, or the effect of distrust, planned or done. */
export function distrustPage(
  answer: DistrustAnswer,
  asked: DistrustRequest,
  page: Page,
): readonly string[] {
  if ('origins' in answer) return originsPage(answer.origins)
  if ('whatIf' in answer) return whatIfPage(answer.whatIf, page)
  return turnedPage(answer.turned, { ...asked, off: answer.off }, page)
}

function originsPage(origins: readonly DistrustedOrigin[]): readonly string[] {
  if (origins.length === 0) return ['Nobody is distrusted.']
  return origins.map(({ origin, name, since, basis, memories, entry }) => {
    const count = plural(memories, 'memory', 'memories')
    return `${origin} ${name ?? '(erased)'}  since ${since}, ${basis}: ${count}, entry ${entry}`
  })
}

const cut = (lines: readonly string[]): readonly string[] => {
  const more = lines.length - SHOWN_MAX
  return more > 0 ? [...lines.slice(0, SHOWN_MAX), `  … and ${more} more: --json`] : lines
}

function whatIfPage({ memories, flagged, answers }: WhatIf, page: Page): readonly string[] {
  const { ink, width } = page
  if (memories.length === 0)
    return ['Nothing would change: nothing that is believed comes from there.']
  const byGround = memories.filter(({ why }) => why === 'ground').length
  const lost = plural(memories.length, 'memory', 'memories')
  return [
    `${lost} would lose belief${byGround === 0 ? '' : `, ${byGround} of them for want of other ground`}:`,
    ...cut(
      memories.map(({ ref, kind, why }) => `  ${ink.ref(shortRef(ref))}  ${kind}, ${WHYS[why]}`),
    ),
    ...(answers.length === 0 ? ['No answer would change.'] : ['Answers that would change:']),
    ...cut(
      answers.map(({ before, after }) =>
        clip(`  ${before.subject} ${before.predicate}: ${turnedWords(before, after)}`, width),
      ),
    ),
    ...(flagged.length === 0
      ? []
      : [`Waiting for a person, for having lost a source: ${flagged.length}`]),
    'Nothing was done. With --yes it is; --off undoes it.',
  ]
}

const WHYS = {
  origin: 'it comes from there',
  own: 'it is the one',
  ground: 'it rests on nothing else',
} as const

/** The new answer; for an unchanged answer, the parts that changed. */
function turnedWords(before: Answer, after: Answer): string {
  const changes = differencesOf(before, after).map(({ of, before: was, after: is }) =>
    of === 'answer' ? `${was} → ${is}` : `${of} ${was} → ${is}`,
  )
  const isAnother = answerWords(before) !== answerWords(after)
  return oneLine(isAnother ? changes.join() : `stays ${answerWords(before)}; ${changes.join(', ')}`)
}

function turnedPage(
  { entry, memories, flagged, cleared, proposed }: Turned,
  { ref, who, off }: DistrustRequest & { readonly off: boolean },
  page: Page,
): readonly string[] {
  if (ref !== null && !off && (proposed !== null || (entry === null && !who.person))) {
    return proposedLines({ ref, entry: proposed }, who, page, 'would not be believed')
  }
  if (entry === null) return [off ? 'Nothing of it was distrusted.' : 'It is distrusted already.']
  const count = plural(memories.length, 'memory', 'memories')
  return [
    off
      ? `${page.ink.good('Trusted again:')} ${count}.`
      : `${page.ink.bad('Distrusted:')} ${count}.`,
    ...cut(memories.map((each) => `  ${page.ink.ref(shortRef(each))}`)),
    ...(flagged.length === 0 ? [] : [`Lost a source, and wait for a person: ${flagged.length}`]),
    ...(cleared.length === 0 ? [] : [`Have a source back: ${cleared.length}`]),
  ]
}
