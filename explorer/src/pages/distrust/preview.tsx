import { answerWords, differencesOf } from '../../../../src/engine/claims/answer-differences.ts'
import type { Losing, WhatIf } from '../../../../src/engine/distrust/distrust.ts'
import { useOperation } from '../../state/query.ts'
import { Badge, KindBadge, RefLink } from '../../ui/badges.tsx'
import { count, plural, shown, spaced } from '../../ui/format.ts'
import { Card, Empty, Shown } from '../../ui/parts.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import type { Doubt } from './doubt.ts'

const ROW = 66

const WHY = {
  origin: 'comes from this source',
  own: 'is the source itself',
  ground: 'rests on it',
} as const

/** What would change; nothing is done yet. */
export function Preview({ doubt }: { readonly doubt: Doubt }) {
  const asked = useOperation('distrust', doubt)
  return (
    <Shown asked={asked}>
      {(result) => ('whatIf' in result ? <Effects whatIf={result.whatIf} /> : null)}
    </Shown>
  )
}

function Effects({ whatIf: { memories, flagged, answers } }: { readonly whatIf: WhatIf }) {
  return (
    <div class="cards wide-first what-if">
      <Card
        title="Would no longer be believed"
        aside={<span class="num soft">{count(memories.length)}</span>}
      >
        {memories.length === 0 ? (
          <Empty>Nothing would change.</Empty>
        ) : (
          <VirtualList
            count={memories.length}
            rowHeight={ROW}
            height={Math.min(462, memories.length * ROW)}
            label="Would no longer be believed"
            row={(index) => {
              const found = memories[index]
              return found && <Row key={found.ref} of={found} />
            }}
          />
        )}
        <p class="soft small">
          {plural(flagged.length, 'memory', 'memories')} would stand and lose a source: each would
          wait in review.
        </p>
      </Card>
      <Card
        title="Answers that would change"
        aside={<span class="num soft">{count(answers.length)}</span>}
      >
        {answers.length === 0 ? (
          <Empty>No answer would change.</Empty>
        ) : (
          <ul class="list">
            {answers.map(({ before, after }) => (
              <li key={`${before.subject}\n${before.predicate}`} class="stack">
                <strong>
                  {before.subject} / {before.predicate}
                </strong>
                <Turned before={before} after={after} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}

/** The link fetches the words when the row comes into sight: a distrust may reach thousands. */
function Row({ of: { ref, kind, why } }: { readonly of: Losing }) {
  return (
    <div class="difference">
      <RefLink of={ref} />
      <div class="row">
        <KindBadge kind={kind} />
        <span class="soft small">{WHY[why]}</span>
      </div>
    </div>
  )
}

type Answer = WhatIf['answers'][number]['before']

/** What is answered now and then; where that stays, what of it does not. */
function Turned({ before, after }: { readonly before: Answer; readonly after: Answer }) {
  if (answerWords(before) !== answerWords(after)) {
    return (
      <>
        <Held title="now" answer={before} />
        <Held title="then" answer={after} />
      </>
    )
  }
  return (
    <>
      <Held title="stays" answer={before} />
      {differencesOf(before, after).map(({ of, before: was, after: is }) => (
        <p key={of} class="small">
          {of} {was} → {is}
        </p>
      ))}
    </>
  )
}

const Held = ({
  title,
  answer: { standing, values },
}: {
  readonly title: string
  readonly answer: Answer
}) => (
  <p class="row small">
    <span class="soft">{title}</span>
    <Badge tone={standing === 'held' ? 'good' : 'warn'}>{spaced(standing)}</Badge>
    <span class="words">{values.map(({ value }) => shown(value)).join(', ') || '–'}</span>
  </p>
)
