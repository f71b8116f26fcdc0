import { useEffect, useMemo, useState } from 'preact/hooks'
import { REVIEW_KINDS, type ReviewKind } from '../../../../src/domain/state.ts'
import type { ReviewAnswer } from '../../../../src/engine/review/proposals.ts'
import type { Resolved, Waiting } from '../../../../src/operations/review.ts'
import { useOperation } from '../../state/query.ts'
import { go, goQuery, hrefOf, usePlace } from '../../state/router.ts'
import { useMayAct, useStack } from '../../state/stack.ts'
import { Badge } from '../../ui/badges.tsx'
import { count } from '../../ui/format.ts'
import { useKeys } from '../../ui/keys.ts'
import { Empty, PageHead, Shown } from '../../ui/parts.tsx'
import { KINDS } from './answers.ts'
import { EditDialog } from './edit-dialog.tsx'
import { answer, sendAll, undo, useHeld } from './held.ts'
import { Item } from './item.tsx'

const PAGE = 100

/** What waits for a person, one after the other, without a mouse. */
export function Review() {
  const { query } = usePlace()
  const kind = REVIEW_KINDS.find((each) => each === query.get('kind')) ?? null
  const asked = useOperation('review', { limit: PAGE, ...(kind ? { kinds: [kind] } : {}) })
  useEffect(() => {
    const leave = (): void => void sendAll()
    globalThis.addEventListener('pagehide', leave)
    return () => {
      globalThis.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  return (
    <>
      <PageHead title="Review">
        <p>What waits for a person.</p>
      </PageHead>
      <KindChips chosen={kind} />
      <Shown asked={asked}>{(items) => <Queue all={itemsIn(items)} />}</Shown>
    </>
  )
}

/** One operation asks and answers; this page asks here and answers elsewhere. */
const itemsIn = (value: readonly Waiting[] | Resolved): readonly Waiting[] =>
  'answer' in value ? [] : value

const KindChips = ({ chosen }: { readonly chosen: ReviewKind | null }) => (
  <fieldset class="chips filters-row" aria-label="Only">
    {REVIEW_KINDS.map((kind) => (
      <button
        key={kind}
        type="button"
        class="chip"
        aria-pressed={chosen === kind}
        onClick={() => goQuery({ kind: chosen === kind ? null : kind })}
      >
        {KINDS[kind].title}
      </button>
    ))}
  </fieldset>
)

function Queue({ all }: { readonly all: readonly Waiting[] }) {
  const stack = useStack()
  const mayAct = useMayAct()
  const held = useHeld()
  const items = useMemo(
    () => all.filter(({ ref }) => !held.some(({ item }) => item.ref === ref)),
    [all, held],
  )
  const [place, setPlace] = useState(0)
  const [reason, setReason] = useState('')
  const [isEditing, setEditing] = useState(false)
  const at = Math.min(place, Math.max(0, items.length - 1))
  const item = items[at]
  const move = (by: number): void => setPlace(Math.max(0, Math.min(items.length - 1, at + by)))
  const meant = item?.proposal?.seq
  const give = (said: ReviewAnswer, modifications?: Readonly<Record<string, string>>): void => {
    if (!item || !mayAct) return
    answer({
      stack,
      item,
      answer: said,
      ...(meant === undefined ? {} : { meant }),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(modifications ? { modifications } : {}),
    })
    setReason('')
  }
  const isSuggestion = item?.kind === 'suggestion'
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    u: () => void undo(),
    o: () => item && go(hrefOf(stack, 'memory', item.ref)),
    e: () => isSuggestion && mayAct && setEditing(true),
    ...Object.fromEntries(
      (item?.answers ?? []).map((each, index) => [String(index + 1), () => give(each)]),
    ),
  })
  if (!item) return <Empty>Nothing waits. Well kept.</Empty>
  return (
    <div class="review">
      <nav class="queue card" aria-label="Waiting">
        <p class="soft small" role="status">
          {count(at + 1)} of {count(items.length)}
          {all.length === PAGE ? ' and more' : ''}
        </p>
        <ul>
          {items.map(({ ref, kind, memory }, index) => (
            <li key={ref}>
              <button
                type="button"
                class="queue-item"
                aria-current={index === at ? 'true' : undefined}
                onClick={() => setPlace(index)}
              >
                <Badge tone="warn">{KINDS[kind].title}</Badge>
                <span class="words clip">{memory.text}</span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <Item
        key={item.ref}
        item={item}
        reason={reason}
        onReason={setReason}
        onAnswer={give}
        onEdit={isSuggestion ? () => setEditing(true) : null}
      />
      {isEditing && (
        <EditDialog
          item={item}
          onClose={() => setEditing(false)}
          onAccept={(modifications) => {
            setEditing(false)
            give('accept', modifications)
          }}
        />
      )}
    </div>
  )
}
