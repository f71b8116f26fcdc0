import { useEffect } from 'preact/hooks'
import type { Explanation } from '../../../../src/operations/why.ts'
import { useOperation } from '../../state/query.ts'
import { hrefOf, usePlace } from '../../state/router.ts'
import { useAsOf, useStack } from '../../state/stack.ts'
import {
  Badge,
  DispositionBadge,
  KindBadge,
  LabelBadge,
  RefLink,
  TierBadge,
  When,
} from '../../ui/badges.tsx'
import { clipped, percent, setTitle, shortRef, spoken } from '../../ui/format.ts'
import { Link } from '../../ui/link.tsx'
import { Card, Empty, Meter, PageHead, Shown } from '../../ui/parts.tsx'
import { Actions } from './actions.tsx'
import { Certificate } from './certificate.tsx'
import { Entries } from './entries.tsx'
import { Lineage } from './lineage.tsx'
import { Numbers } from './numbers.tsx'
import { Proof } from './proof.tsx'

const TITLE_MAX = 90 // characters; the card below shows every word

/** One memory: words, provenance, sources and changes. */
export function MemoryPage() {
  const { rest: ref } = usePlace()
  const past = useAsOf()
  const asked = useOperation('why', ref === '' ? null : { ref, impact: true, ...past })
  const stack = useStack()
  const text = asked.value?.memory.text ?? shortRef(ref)
  useEffect(() => setTitle(clipped(text, TITLE_MAX), stack), [text, stack])
  if (ref === '') return <Empty>Which memory? Search for one, and follow it here.</Empty>
  return (
    <>
      <PageHead title={clipped(text, TITLE_MAX)}>
        <code class="soft small">{ref}</code>
      </PageHead>
      <Shown asked={asked}>{(why) => <Sections why={why} />}</Shown>
    </>
  )
}

function Sections({ why }: { readonly why: Explanation }) {
  const { memory, evidence } = why
  return (
    <>
      <Words why={why} />
      <div class="cards wide-first">
        <Lineage why={why} />
        <Certificate why={why} />
      </div>
      <div class="cards wide-first">
        <Numbers why={why} />
        <Card title="Evidence">
          {evidence.length === 0 ? (
            <Empty>No further evidence was added to its sources.</Empty>
          ) : (
            <ul class="list">
              {evidence.map(({ ref, text, provenance, tier }) => (
                <li key={ref}>
                  <RefLink of={ref}>
                    <span class="words clip">{text}</span>
                  </RefLink>
                  <div class="row">
                    <LabelBadge label={provenance.label} />
                    <TierBadge tier={tier} />
                    <span class="soft small">{provenance.sourceId}</span>
                  </div>
                </li>
              ))}
            </ul>
          )}
          <p class="small soft">
            Confirmed {memory.verificationCount} times by independent first-hand evidence,
            reinforced {memory.timesReinforced} times.
          </p>
        </Card>
      </div>
      <div class="cards wide-first">
        <Entries why={why} />
        <Proof of={memory.ref} />
      </div>
    </>
  )
}

function Words({ why: { memory } }: { readonly why: Explanation }) {
  const stack = useStack()
  const { kind, body, flags } = memory
  const about = kind === 'claim' ? aboutOf(body) : null
  return (
    <section class="card words-card" aria-label="Its words">
      {clipped(memory.text, TITLE_MAX) !== memory.text && <p class="words large">{memory.text}</p>}
      <div class="row">
        <KindBadge kind={kind} />
        <LabelBadge label={memory.provenance.label} />
        <TierBadge tier={memory.tier} />
        <DispositionBadge disposition={memory.disposition} />
        {kind === 'goal' && <Badge>{spoken(memory.status ?? 'active')}</Badge>}
        {memory.isProtected && <Badge tone="info">protected</Badge>}
        {memory.erased && <Badge tone="bad">erased by entry {memory.erased.seq}</Badge>}
        {memory.review && (
          <Link href={hrefOf(stack, 'review')}>
            <Badge tone="warn">waits: {memory.review}</Badge>
          </Link>
        )}
        {flags.map(({ code, seq }) => (
          <Badge key={seq} tone="warn">
            {spoken(code)}
          </Badge>
        ))}
        {memory.tags.map((tag) => (
          <Badge key={tag}>#{tag}</Badge>
        ))}
        {about && (
          <Link href={hrefOf(stack, 'claims', '', about)}>
            claims about {about.subject} / {about.predicate}
          </Link>
        )}
        <When at={memory.createdAt} />
      </div>
      <div class="gauges">
        <Meter label="Confidence: is it true?" value={memory.confidence} />
        <Meter
          label="Strength: does it come to mind?"
          value={memory.strength}
          text={`${percent(memory.strength)}, ${memory.strengthTier}`}
          colour="var(--c1)"
        />
      </div>
      <Actions memory={memory} />
    </section>
  )
}

function aboutOf(body: object): { readonly subject: string; readonly predicate: string } | null {
  const { subject, predicate } = body as {
    readonly subject?: unknown
    readonly predicate?: unknown
  } // gone once erased
  return typeof subject === 'string' && typeof predicate === 'string'
    ? { subject, predicate }
    : null
}
