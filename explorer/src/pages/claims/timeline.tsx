import { useState } from 'preact/hooks'
import type { Verdict } from '../../../../src/domain/claims.ts'
import type { TimelineStep } from '../../../../src/engine/claims/timelines.ts'
import { call } from '../../api/client.ts'
import { refresh } from '../../state/live.ts'
import { useOperation } from '../../state/query.ts'
import { useAsOf, useMayAct, useStack } from '../../state/stack.ts'
import { Badge, labelWords, RefLink, TierBadge, type Tone, When } from '../../ui/badges.tsx'
import { percent, plural, shown, spaced } from '../../ui/format.ts'
import { Card, Shown } from '../../ui/parts.tsx'
import { say, sayError } from '../../ui/toasts.tsx'
import { TimelineChart } from './timeline-chart.tsx'

const STANDING: Readonly<Record<string, Tone>> = {
  held: 'good',
  contested: 'warn',
  retracted: 'bad',
}

/** A timeline: its answer, every claim along time, and the sides of a contest with their verdicts. */
export function Timeline({
  subject,
  predicate,
}: {
  readonly subject: string
  readonly predicate: string
}) {
  const past = useAsOf()
  const answer = useOperation('ask', { subject, predicate, minTier: 0, ...past })
  const steps = useOperation('timeline', { subject, predicate, ...past })
  return (
    <div class="stack">
      <Card title={`${subject} / ${predicate}`}>
        <Shown asked={answer}>
          {(answer) =>
            'standing' in answer && (
              <>
                <p class="row">
                  <Badge tone={STANDING[answer.standing] ?? 'plain'}>{answer.standing}</Badge>
                  <span class="words large">
                    {answer.values
                      .map(({ value }) => shown(value))
                      .join(answer.standing === 'contested' ? ' or ' : ', ')}
                  </span>
                </p>
                <p class="soft small">
                  {answer.standing === 'held' &&
                    `${plural(answer.evidence, 'independent first-hand source')}, `}
                  {answer.currency
                    ? `${spaced(answer.currency.band).toLowerCase()} (${percent(answer.currency.value)}), `
                    : ''}
                  {answer.cardinality === 'SetValued'
                    ? 'many values at a time'
                    : 'one value at a time'}
                </p>
              </>
            )
          }
        </Shown>
        <Shown asked={steps}>{(all) => <TimelineChart steps={all} />}</Shown>
      </Card>
      <Shown asked={steps}>{(all) => <Claims steps={all} />}</Shown>
    </div>
  )
}

function Claims({ steps }: { readonly steps: readonly TimelineStep[] }) {
  const [reason, setReason] = useState('')
  const sides = steps.filter(({ status }) => status === 'contested')
  const others = steps.filter(({ status }) => status !== 'contested')
  return (
    <>
      {sides.length > 0 && (
        <Card title="Contested">
          <label class="field">
            <span>Why, in words; kept with the verdict</span>
            <input
              type="text"
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </label>
          <div class="sides contested">
            {sides.map((step) => (
              <Claim
                key={step.ref}
                step={step}
                deciding={{ reason, rivals: sides.filter(({ ref }) => ref !== step.ref) }}
              />
            ))}
          </div>
        </Card>
      )}
      {others.length > 0 && (
        <Card title={sides.length > 0 ? 'Other claims' : 'Claims'}>
          <div class="sides">
            {others.map((step) => (
              <Claim key={step.ref} step={step} deciding={null} />
            ))}
          </div>
        </Card>
      )}
    </>
  )
}

const VERDICTS: readonly { readonly verdict: Verdict; readonly words: string }[] = [
  { verdict: 'affirm', words: 'It is right' },
  { verdict: 'deny', words: 'It is wrong' },
  { verdict: 'unknown', words: 'Nobody knows' },
]

interface Deciding {
  readonly reason: string
  /** The other sides, which a verdict for this one overrules. */
  readonly rivals: readonly TimelineStep[]
}

/** True for a claim that was retracted, denied, or replaced by a verdict: reopening undoes each. */
const isReopenable = ({ word, status, supersededBy }: TimelineStep): boolean =>
  word === 'retracted' || word === 'denied' || (status === 'replaced' && supersededBy !== null)

function Claim({
  step,
  deciding,
}: {
  readonly step: TimelineStep
  readonly deciding: Deciding | null
}) {
  const stack = useStack()
  const mayAct = useMayAct()
  const reopen = async (refs: readonly string[]): Promise<void> => {
    try {
      for (const ref of refs) await call(stack, 'reopen', { ref })
      refresh()
    } catch (error) {
      sayError(error)
    }
  }
  const decide = async (verdict: Verdict, { reason, rivals }: Deciding): Promise<void> => {
    try {
      const words = reason.trim() === '' ? {} : { reason: reason.trim() }
      await call(stack, 'adjudicate', { ref: step.ref, verdict, ...words })
      refresh()
      const undone = verdict === 'affirm' ? rivals.map(({ ref }) => ref) : [step.ref]
      const action = { label: 'Undo', run: () => void reopen(undone) }
      say({ text: 'Decided.', ...(verdict === 'unknown' ? {} : { action }) })
    } catch (error) {
      sayError(error)
    }
  }
  return (
    <div class="side-of">
      <RefLink of={step.ref}>
        <span class="words large">{shown(step.value)}</span>
      </RefLink>
      <div class="row">
        <Badge
          tone={step.status === 'held' ? 'good' : step.status === 'contested' ? 'warn' : 'plain'}
        >
          {step.status.replaceAll('_', ' ')}
        </Badge>
        <TierBadge tier={step.tier} />
        <span class="small">{step.actor}</span>
        <span class="soft small">{labelWords(step.label)}</span>
        <When at={step.saidAt} />
      </div>
      <p class="small soft">
        held from {step.validFrom ?? 'when it was said'} until {step.validUntil ?? 'further notice'}
      </p>
      {deciding && (
        <div class="row">
          {VERDICTS.map(({ verdict, words }) => (
            <button
              key={verdict}
              type="button"
              class={`btn ${verdict === 'affirm' ? 'primary' : ''}`}
              disabled={!mayAct}
              onClick={() => void decide(verdict, deciding)}
            >
              {words}
            </button>
          ))}
        </div>
      )}
      {!deciding && mayAct && isReopenable(step) && (
        <div class="row">
          <button type="button" class="btn" onClick={() => void reopen([step.ref])}>
            Reopen
          </button>
        </div>
      )}
    </div>
  )
}
