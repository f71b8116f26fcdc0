import type { ComponentChildren } from 'preact'
import type { Label } from '../../../src/domain/labels.ts'
import { useOperation } from '../state/query.ts'
import { hrefOf } from '../state/router.ts'
import { useStack } from '../state/stack.ts'
import { kindColour } from './colours.ts'
import { ago, clipped, exactly, shortRef, spaced } from './format.ts'
import { Link } from './link.tsx'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain'

export const Badge = ({
  tone = 'plain',
  title,
  children,
}: {
  readonly tone?: Tone
  readonly title?: string
  readonly children: ComponentChildren
}) => (
  <span class={`badge ${tone}`} title={title}>
    {children}
  </span>
)

export const KindBadge = ({ kind }: { readonly kind: string }) => (
  <span class="badge">
    <span class="dot" style={{ background: kindColour(kind) }} />
    {kind.replaceAll('_', ' ')}
  </span>
)

/** The four channels, in words of one glance. */
const LABELS: Readonly<
  Record<string, { readonly words: string; readonly tone: Tone; readonly title: string }>
> = {
  UserAsserted: { words: 'a person said', tone: 'good', title: 'External, UserAsserted' },
  ExternalFirstHand: {
    words: 'seen first-hand',
    tone: 'info',
    title: 'External, ExternalFirstHand',
  },
  ModelDerived: { words: 'a model’s', tone: 'warn', title: 'ModelDerived' },
  RecallReEntry: { words: 'an echo', tone: 'bad', title: 'RecallReEntry' },
}

export const labelName = (label: Label): string =>
  label.type === 'External' ? label.kind : label.type

export const labelWords = (name: string): string => LABELS[name]?.words ?? name

export function LabelBadge({ label }: { readonly label: Label }) {
  const known = LABELS[labelName(label)]
  return known ? (
    <Badge tone={known.tone} title={known.title}>
      {known.words}
    </Badge>
  ) : null
}

const TIERS: readonly Tone[] = ['bad', 'warn', 'info', 'good']

export const TierBadge = ({ tier }: { readonly tier: number }) => (
  <Badge tone={TIERS[tier] ?? 'plain'} title="How far it may be relied on, 0 to 3">
    tier {tier}
  </Badge>
)

const DISPOSITIONS: Readonly<Record<string, Tone>> = {
  CommittedCheap: 'good',
  CommittedInferred: 'plain',
  Corroborated: 'good',
  Reinstated: 'good',
  Contested: 'warn',
  QueuedForAdjudication: 'warn',
  Superseded: 'plain',
  Quarantined: 'bad',
  Rejected: 'bad',
  Invalidated: 'bad',
}

export const DispositionBadge = ({ disposition }: { readonly disposition: string }) => (
  <Badge tone={DISPOSITIONS[disposition] ?? 'warn'} title="Decision of the gate">
    {disposition.startsWith('Committed') ? 'believed' : spaced(disposition).toLowerCase()}
  </Badge>
)

export const When = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactly(at)} class="soft small nowrap">
    {ago(at)}
  </time>
)

/** A link to a memory by its words; the ref shows while the words are unknown. */
export function RefLink({
  of,
  children,
}: {
  readonly of: string
  readonly children?: ComponentChildren
}) {
  const stack = useStack()
  return (
    <Link href={hrefOf(stack, 'memory', of)} title={of} class="item-link">
      {children ?? <WordsOf memory={of} />}
    </Link>
  )
}

const WORDS_MAX = 80 // characters in a link

function WordsOf({ memory }: { readonly memory: string }) {
  const { value } = useOperation('show', { ref: memory }, { still: true })
  return <span class="words">{value ? clipped(value.text, WORDS_MAX) : shortRef(memory)}</span>
}
