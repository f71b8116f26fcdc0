import { useState } from 'preact/hooks'
import { Badge, KindBadge, LabelBadge, RefLink, TierBadge, When } from '../../ui/badges.tsx'
import { percent, spoken } from '../../ui/format.ts'
import type { Found } from './hit.ts'
import { SignalBars } from './signal-bars.tsx'

/** One memory that was found: its words, whose they are, and why it came. */
export function Hit({ hit, most }: { readonly hit: Found; readonly most: number }) {
  const { explained } = hit
  const [isOpen, setOpen] = useState(false)
  return (
    <article class="stack">
      <RefLink of={hit.ref}>
        <span class="words clip">{hit.text}</span>
      </RefLink>
      <div class="row">
        <KindBadge kind={hit.kind} />
        <LabelBadge label={hit.label} />
        <TierBadge tier={hit.tier} />
        {hit.standing !== '' && hit.standing !== 'held' && (
          <Badge tone="warn">{spoken(hit.standing)}</Badge>
        )}
        <span class="soft small">{hit.actor}</span>
        {hit.createdAt !== '' && <When at={hit.createdAt} />}
        <span class="soft small">strength {percent(hit.strength)}</span>
      </div>
      {explained && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            Why: {percent(explained.score)} likely, rank {explained.rank ?? '–'} of{' '}
            {explained.ranked}
          </summary>
          {isOpen && <SignalBars explained={explained} most={most} />}
        </details>
      )}
    </article>
  )
}
