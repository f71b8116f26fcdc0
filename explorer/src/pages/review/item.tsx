import { useEffect, useRef } from 'preact/hooks'
import type { Memory } from '../../../../src/engine/read/memory-view.ts'
import type { ReviewAnswer } from '../../../../src/engine/review/proposals.ts'
import type { Waiting } from '../../../../src/operations/review.ts'
import { hrefOf } from '../../state/router.ts'
import { useMayAct, useStack } from '../../state/stack.ts'
import {
  Badge,
  DispositionBadge,
  KindBadge,
  LabelBadge,
  RefLink,
  TierBadge,
  When,
} from '../../ui/badges.tsx'
import { percent, shown, spaced, spoken } from '../../ui/format.ts'
import { Link } from '../../ui/link.tsx'
import { answerWords, KINDS } from './answers.ts'

interface Props {
  readonly item: Waiting
  readonly reason: string
  readonly onReason: (reason: string) => void
  readonly onAnswer: (answer: ReviewAnswer) => void
  /** Null where there is nothing to reword. */
  readonly onEdit: (() => void) | null
}

/** One question, with all that is needed to answer it. */
export function Item({ item, reason, onReason, onAnswer, onEdit }: Props) {
  const mayAct = useMayAct()
  const heading = useRef<HTMLHeadingElement>(null)
  // The focus tells a screen reader what comes next.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const { memory, against, proposal } = item
  const fields = item.fields.filter((field) => field.proposal === proposal?.seq)
  return (
    <article class="card stack item">
      <h2 tabIndex={-1} ref={heading}>
        {KINDS[item.kind].question}
      </h2>
      <div class={against.length > 0 ? 'sides' : ''}>
        <Side memory={memory} />
        {against.map((other) => (
          <Side key={other.ref} memory={other} />
        ))}
      </div>
      {proposal && (
        <p>
          Asked for:{' '}
          <strong>{spoken(String(proposal.decision.facts.change ?? proposal.op))}</strong>
          {proposal.text !== null && <span class="words"> “{proposal.text}”</span>}{' '}
          <When at={proposal.time} />
        </p>
      )}
      {fields.length > 0 && (
        <ul class="fields">
          {fields.map(({ field, from, to }) => (
            <li key={field}>
              {spaced(field)}: <span class="words">{fieldValue(from)}</span> →{' '}
              <strong class="words">{fieldValue(to)}</strong>
            </li>
          ))}
        </ul>
      )}
      {item.kind === 'contest' && <TimelineLink memory={memory} />}
      <p class="row small">
        <span class="soft">
          Waiting since <When at={item.since} />
        </span>
        <span class="soft">Why it waits:</span>
        {item.reasons.map((code) => (
          <Badge key={code} tone="warn">
            {spaced(spoken(code)).toLowerCase()}
          </Badge>
        ))}
      </p>
      <label class="field">
        <span>Why, in words; kept with the answer</span>
        <input
          type="text"
          value={reason}
          disabled={!mayAct}
          onInput={(event) => onReason(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        {item.answers.map((answer, index) => (
          <button
            key={answer}
            type="button"
            class={`btn ${index === 0 ? 'primary' : ''}`}
            disabled={!mayAct}
            onClick={() => onAnswer(answer)}
          >
            {answerWords(item.kind, answer)} <kbd>{index + 1}</kbd>
          </button>
        ))}
        {onEdit && (
          <button type="button" class="btn" disabled={!mayAct} onClick={onEdit}>
            Edit <kbd>e</kbd>
          </button>
        )}
      </div>
      {!mayAct && <p class="soft small">Sign in to answer.</p>}
      <p class="soft small">
        <kbd>j</kbd> <kbd>k</kbd> next and back, <kbd>1</kbd>–<kbd>3</kbd> answer, <kbd>o</kbd>{' '}
        open, <kbd>u</kbd> undo within five seconds
      </p>
    </article>
  )
}

const fieldValue = (value: unknown): string => (value === null ? 'none' : shown(value))

function Side({ memory }: { readonly memory: Memory }) {
  return (
    <div class="side-of">
      <RefLink of={memory.ref}>
        <span class="words large">{memory.text}</span>
      </RefLink>
      <div class="row">
        <KindBadge kind={memory.kind} />
        <LabelBadge label={memory.provenance.label} />
        <TierBadge tier={memory.tier} />
        <DispositionBadge disposition={memory.disposition} />
        <span class="soft small">{memory.provenance.sourceId}</span>
        <span class="soft small">confidence {percent(memory.confidence)}</span>
        <When at={memory.createdAt} />
      </div>
    </div>
  )
}

function TimelineLink({ memory: { body } }: { readonly memory: Memory }) {
  const stack = useStack()
  const { subject, predicate } = body as { readonly subject?: string; readonly predicate?: string } // a contest is about a claim
  if (subject === undefined || predicate === undefined) return null
  return (
    <p>
      <Link href={hrefOf(stack, 'claims', '', { subject, predicate })}>
        Who says what of {subject} / {predicate}
      </Link>
    </p>
  )
}
