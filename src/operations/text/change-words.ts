import type { EntryOp, Fact } from '../../domain/entry.ts'
import { labelName } from '../../domain/labels.ts'
import type { Change } from '../../engine/history/why.ts'
import type { Page } from './page.ts'
import { reasonWords } from './reasons.ts'
import { speaker } from './speaker.ts'
import { table } from './table.ts'
import { age, block, oneLine, plural, shortRef, wrap } from './words.ts'

const TEXT_MARGIN = '             '

/** All changes of a memory in the ledger, oldest first, in words. */
export function historyLines(changes: readonly Change[], page: Page): readonly string[] {
  if (changes.length < 2) return ['Nothing has changed about it since.']
  const { ink, now, isVerbose } = page
  const heads = table(
    changes.map((change) => [
      ...(isVerbose ? [{ text: `entry ${change.seq}` }] : []),
      { text: age(change.time, now) },
      { text: whoDid(change) },
      { text: changeWords(change, page) },
    ]),
  )
  const lines = changes.flatMap((change, index) => [
    `  ${heads[index] ?? ''}`,
    ...saidBeside(change, page),
  ])
  return [ink.strong('How it has changed'), ...lines]
}

/** The reason given for a change, and its evidence. */
function saidBeside({ text, decision }: Change, { ink, width }: Page): readonly string[] {
  const room = width - TEXT_MARGIN.length - 2
  const words = text === null ? [] : block(`“${text}”`).flatMap((line) => wrap(line, room))
  const evidence = refsIn(decision.facts.evidence)
  return [
    ...words.map((line) => `${TEXT_MARGIN}${ink.quote(line)}`),
    ...(evidence.length === 0 ? [] : [`${TEXT_MARGIN}evidence ${evidence.join(', ')}`]),
  ]
}

const refsIn = (fact: Fact | undefined): readonly string[] =>
  Array.isArray(fact) ? fact.map((ref) => shortRef(String(ref))) : []

/**
 * An act of the stack itself has no label: only a person or the host erases, rejects and releases.
 */
const whoDid = ({ label, door, op }: Pick<Change, 'label' | 'door' | 'op'>): string => {
  if (label !== null) return `${speaker(labelName(label), door)}, ${door ?? 'nowhere'}`
  if (!DECIDED.has(op)) return 'the engine'
  return door === 'lib' ? 'the host, lib' : `a person, ${door ?? 'nowhere'}`
}

const DECIDED: ReadonlySet<EntryOp> = new Set([
  'memory.erased',
  'quarantine.rejected',
  'quarantine.released',
])

const changeWords = (change: Pick<Change, 'op' | 'decision'>, page: Page): string =>
  [happened(change, page), ...numbers(change)].join('; ')

function numbers({ decision: { facts } }: Pick<Change, 'decision'>): readonly string[] {
  return (['confidence', 'strength'] as const).flatMap((name) => {
    const fact = facts[name]
    if (typeof fact !== 'object' || fact === null || !('from' in fact)) return []
    const { from, to } = fact as { readonly from: number; readonly to: number } // written by the gate
    return from === to ? [] : [`${name} ${from.toFixed(2)} → ${to.toFixed(2)}`]
  })
}

/** Changes whose words need no fact. */
const PLAIN: Readonly<Partial<Record<EntryOp, string>>> = {
  'quarantine.rejected': 'a person said no; the same words stay out',
  'quarantine.released': 'accepted in review: it is let in',
  'memory.forgotten': 'forgotten',
  'memory.recovered': 'recovered',
  'memory.protected': 'protected',
  'memory.unprotected': 'no longer protected',
  'memory.accessed': 'was of use',
  'memory.weakened': 'weakened',
  'memory.strengthened': 'strengthened: something that rests on it was verified',
  'memory.verified': 'verified by independent evidence',
  'memory.reinforced': 'reinforced by independent evidence',
  'claim.retracted': 'taken back',
  'claim.reopened': 'reopened: what was said against it is undone',
  'memory.cleared': 'looked at in review; its flags are down',
  'echo.left': 'looked at in review, and left as it was recognised',
}

function happened({ op, decision }: Pick<Change, 'op' | 'decision'>, { isVerbose }: Page): string {
  const { rule, disposition, reasons, facts } = decision
  const because = reasons.length === 0 ? '' : ` (${reasons.map(reasonWords).join(', ')})`
  const ruled = isVerbose ? `, ${disposition} by the rule ${rule}` : ''
  switch (op) {
    case 'memory.saved':
      return `saved${ruled}${because}`
    case 'memory.revised':
      return `revised${ruled}${because}`
    case 'memory.refused':
      return `refused${isVerbose ? ` by the rule ${rule}` : ''}${because}`
    case 'echo.overruled':
      return typeof facts.into === 'string'
        ? `a rewording that an older version folded away was saved: ${shortRef(facts.into)}`
        : `unlinked: no rewording of ${shortRef(String(facts.phrasingOf))}`
    case 'memory.collapsed':
      return rule === 'restate'
        ? 'said again by the same one; counted, and no number moves'
        : 'repeats what was known; counts for nothing'
    case 'tally':
      return plural(Number(facts.count), 'more repeat')
    case 'memory.described':
      return facts.tags === undefined
        ? 'described'
        : `tagged with ${plural(Number(facts.tags), 'tag')}`
    case 'memory.annotated':
      return `noted by the component ${oneLine(String(facts.by))}`
    case 'memory.processed':
      return `made into ${refsIn(facts.into).join(', ')}`
    case 'memory.attested':
      return `said, and written down as said (${facts.change}); moves no number`
    case 'memory.proposed':
      return `${proposalWords(decision)} was proposed; a person decides`
    case 'memory.flagged':
      return flagWords(String(facts.code), facts.by)
    case 'belief.revised':
      return `takes the place of ${shortRef(String(facts.of))}`
    case 'belief.deactivated':
      return typeof facts.by === 'string' ? `superseded by ${shortRef(facts.by)}` : 'deactivated'
    case 'memory.erased':
      return `erased: what it said is gone for good; ${BASIS[String(facts.basis)] ?? facts.basis}`
    case 'memory.distrusted':
      return `not believed any more: ${DOUBTS[String(facts.why)] ?? facts.why}`
    case 'memory.trusted':
      return facts.back === true ? 'believed again' : 'trusted again, and still not believed'
    case 'claim.adjudicated':
      return verdictWords(facts)
    case 'claim.superseded':
      return `replaced by ${shortRef(String(facts.by))}`
    case 'claim.ended':
      return `holds no longer from ${facts.at} on`
    case 'claim.lapsed':
      return facts.why === 'expired'
        ? 'asked about for too long; still contested'
        : 'contested no longer'
    case 'claim.recast':
      return facts.to === 'SetValued'
        ? 'its timeline holds many values'
        : 'its timeline holds one value at a time'
    case 'suggestion.resolved':
      return `${facts.status}${typeof facts.into === 'string' ? ` as ${shortRef(facts.into)}` : ''}`
    default:
      return PLAIN[op] ?? op
  }
}

const DOUBTS: Readonly<Record<string, string>> = {
  origin: 'where it comes from is distrusted',
  own: 'somebody said that it is wrong',
  ground: 'all that it rests on is distrusted',
}

/** The reason for an erasure, from its stored code. */
const BASIS: Readonly<Record<string, string>> = {
  requested: 'somebody asked for it',
  consent_withdrawn: 'consent was withdrawn',
  retention: 'it was kept as long as it may be',
  unlawful: 'it should never have been kept',
  secret: 'it was a secret',
  mistake: 'it was a mistake',
  other: 'no reason is kept',
}

function verdictWords({ verdict, overrules }: Change['decision']['facts']): string {
  const others = refsIn(overrules)
  switch (verdict) {
    case 'affirm':
      return `decided for it${others.length === 0 ? '' : `; ${others.join(', ')} lost`}`
    case 'deny':
      return 'decided against it'
    default:
      return 'looked at, and left open: nobody knows'
  }
}

/** The change a caller proposed, without the authority to make it. */
export function proposalWords({ facts }: Change['decision']): string {
  switch (facts.change) {
    case 'forget':
      return 'forgetting it'
    case 'weaken':
      return `weakening it by ${facts.amount}`
    case 'describe':
      return facts.confidence === undefined ? 'other tags' : `a confidence of ${facts.confidence}`
    case 'protect':
      return facts.on === true ? 'protecting it' : 'taking its protection away'
    case 'verify':
      return 'verifying it'
    case 'reinforce':
      return 'reinforcing it'
    case 'recast':
      return `making its timeline ${facts.to}`
    case 'adjudicate':
      return `the verdict “${facts.verdict}”`
    case 'end':
      return `ending it from ${facts.at} on`
    case 'retract':
      return 'taking it back'
    case 'reopen':
      return 'reopening it'
    case 'distrust':
      return 'believing it no longer'
    case 'erase':
      return `erasing it for good (${facts.basis})`
    case 'overrule':
      return 'removing its link to another memory'
    case 'supersede':
      return 'another belief in its place'
    case 'revise':
      return 'other fields for it'
    default:
      return String(facts.change)
  }
}

/** The reason a memory waits, from the code of a flag. */
export function flagWords(code: string, by: Fact | undefined = null): string {
  const source = typeof by === 'string' ? `: ${shortRef(by)}` : ''
  switch (code) {
    case 'source_forgotten':
      return `a source was forgotten${source}`
    case 'source_dormant':
      return `a source hardly comes to mind any more${source}`
    case 'source_erased':
      return `a source was erased${source}`
    case 'source_distrusted':
      return `a source is not believed any more${source}`
    case 'dormant':
      return 'it hardly comes to mind any more'
    case 'proposed':
      return 'a change was proposed'
    case 'contradicts':
      return `it contradicts what was known before${source}`
    case 'repeated':
      return 'somebody repeated it more often than the burst rule allows'
    case 'asked':
      return 'somebody asked that it be looked at'
    default:
      return code
  }
}
