import { useContext } from 'preact/hooks'
import type { Overview as Found } from '../../../../src/engine/read/overview.ts'
import { OverviewContext } from '../../state/overview.ts'
import { useOperation } from '../../state/query.ts'
import { hrefOf } from '../../state/router.ts'
import { useAsOf, useStack } from '../../state/stack.ts'
import { KindBadge, LabelBadge, labelWords, RefLink, TierBadge, When } from '../../ui/badges.tsx'
import { kindColour } from '../../ui/colours.ts'
import { count, plural, spaced } from '../../ui/format.ts'
import { Link } from '../../ui/link.tsx'
import { Card, Meter, PageHead, type Segment, Segments, Shown } from '../../ui/parts.tsx'
import { Checkpoint } from './checkpoint.tsx'
import { MemoryHealth } from './memory-health.tsx'
import { Welcome } from './welcome.tsx'

/** Recent memories, waiting items and the state of the ledger. */
export function Overview() {
  const overview = useContext(OverviewContext)
  const { asOf } = useAsOf()
  return (
    <>
      <PageHead title="Overview">
        {asOf !== undefined && <p>These figures are of now, also while you look at the past.</p>}
      </PageHead>
      <Shown asked={overview}>{(found) => <Figures found={found} />}</Shown>
    </>
  )
}

function Figures({ found }: { readonly found: Found }) {
  const { lately, counts } = found
  if (found.head === null) {
    return <Welcome />
  }
  return (
    <>
      <Tiles found={found} />
      <div class="cards wide-first">
        <div class="column">
          <Newest />
          <Card title="Kinds">
            <div class="stack">
              <Kinds counts={counts} />
            </div>
          </Card>
        </div>
        <div class="column">
          <Card title="Of the last 1,000 entries">
            <div class="stack">
              <Segments label="By label" of={segments(lately.labels, LABEL_COLOURS, labelWords)} />
              <Segments
                label="By trust tier"
                of={segments(lately.tiers, TIER_COLOURS, (tier) => `tier ${tier}`)}
              />
              <Segments label="By strength" of={segments(lately.strengths, STRENGTH_COLOURS)} />
              <Segments label="By decision" of={segments(lately.dispositions, {}, spoken)} />
            </div>
          </Card>
          <MemoryHealth />
        </div>
      </div>
    </>
  )
}

function Tiles({ found: { total, review, lately, head } }: { readonly found: Found }) {
  const stack = useStack()
  return (
    <div class="tiles">
      <div class="card tile">
        <div class="figure">{count(total)}</div>
        <div class="soft">{total === 1 ? 'memory' : 'memories'}</div>
      </div>
      <div class="card tile">
        <div class="figure">{count(lately.memories)}</div>
        <div class="soft">learnt in the last {plural(lately.entries, 'entry', 'entries')}</div>
      </div>
      <div class="card tile">
        <div class="figure">
          {count(review.total)}
          {review.hasMore ? '+' : ''}
        </div>
        <div class="soft">
          <Link href={hrefOf(stack, 'review')}>waiting for a person</Link>
        </div>
      </div>
      <div class="card tile">
        <div class="figure">{head ? count(head.seq) : '–'}</div>
        <div class="soft">
          head of the ledger{head && ', '}
          {head && <When at={head.time} />}
        </div>
      </div>
      <Checkpoint />
    </div>
  )
}

function Newest() {
  const asked = useOperation('list', { limit: 8 })
  return (
    <Card title="Learnt lately">
      <Shown asked={asked}>
        {(memories) => (
          <ul class="list">
            {memories.map(({ ref, kind, text, provenance, tier, createdAt }) => (
              <li key={ref}>
                <RefLink of={ref}>
                  <span class="words clip">{text}</span>
                </RefLink>
                <div class="row">
                  <KindBadge kind={kind} />
                  <LabelBadge label={provenance.label} />
                  <TierBadge tier={tier} />
                  <When at={createdAt} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Card>
  )
}

function Kinds({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const rows = Object.entries(counts).filter(([, each]) => each > 0)
  const most = Math.max(1, ...rows.map(([, each]) => each))
  return (
    <>
      {rows
        .sort(([, a], [, b]) => b - a)
        .map(([kind, each]) => (
          <Meter
            key={kind}
            label={kind.replaceAll('_', ' ')}
            value={each / most}
            text={count(each)}
            colour={kindColour(kind)}
          />
        ))}
    </>
  )
}

const spoken = (name: string): string => spaced(name).toLowerCase()

const LABEL_COLOURS = {
  UserAsserted: 'var(--c3)',
  ExternalFirstHand: 'var(--c1)',
  ModelDerived: 'var(--c2)',
  RecallReEntry: 'var(--c5)',
}
const TIER_COLOURS = { 3: 'var(--c3)', 2: 'var(--c1)', 1: 'var(--c2)', 0: 'var(--c5)' }
const STRENGTH_COLOURS = {
  strong: 'var(--c3)',
  fading: 'var(--c7)',
  weak: 'var(--c6)',
  dormant: 'var(--c2)',
  forgotten: 'var(--c8)',
}

function segments(
  counts: Readonly<Record<string, number>>,
  colours: Readonly<Record<string, string>>,
  name: (key: string) => string = (key) => key,
): readonly Segment[] {
  return Object.entries(counts).map(([key, each], at) => ({
    name: name(key),
    count: each,
    colour: colours[key] ?? `var(--c${(at % 8) + 1})`,
  }))
}
