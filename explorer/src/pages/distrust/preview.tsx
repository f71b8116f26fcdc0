import type { WhatIf } from '../../../../src/stack/what-if.ts'
import { useOperation } from '../../state/query.ts'
import { Badge, KindBadge, RefLink } from '../../ui/badges.tsx'
import { count, plural, shown, spaced } from '../../ui/format.ts'
import { Card, Empty, Shown } from '../../ui/parts.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import type { Doubt } from './doubt.ts'

const ROW = 40

const WHY = { origin: 'comes from there', own: 'is meant itself', ground: 'rests on it' } as const

/** What would change; nothing is done yet. */
export function Preview({ doubt }: { readonly doubt: Doubt }) {
  const asked = useOperation('distrust', doubt)
  return (
    <Shown asked={asked}>
      {(told) => ('whatIf' in told ? <Told whatIf={told.whatIf} /> : null)}
    </Shown>
  )
}

function Told({ whatIf: { memories, flagged, answers } }: { readonly whatIf: WhatIf }) {
  return (
    <div class="cards wide-first what-if">
      <Card
        title="Would lose its belief"
        aside={<span class="num soft">{count(memories.length)}</span>}
      >
        {memories.length === 0 ? (
          <Empty>Nothing would change.</Empty>
        ) : (
          <VirtualList
            count={memories.length}
            rowHeight={ROW}
            height={440}
            label="Would lose its belief"
            row={(index) => {
              const found = memories[index]
              return (
                found && (
                  <div class="losing">
                    <KindBadge kind={found.kind} />
                    <RefLink of={found.ref} />
                    <span class="soft small">{WHY[found.why]}</span>
                  </div>
                )
              )
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
          <Empty>No answer would be another.</Empty>
        ) : (
          <ul class="list">
            {answers.map(({ before, after }) => (
              <li key={`${before.subject}\n${before.predicate}`} class="stack">
                <strong>
                  {before.subject} / {before.predicate}
                </strong>
                <Held title="now" answer={before} />
                <Held title="then" answer={after} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}

const Held = ({
  title,
  answer: { standing, values },
}: {
  readonly title: string
  readonly answer: WhatIf['answers'][number]['before']
}) => (
  <p class="row small">
    <span class="soft">{title}</span>
    <Badge tone={standing === 'held' ? 'good' : 'warn'}>{spaced(standing)}</Badge>
    <span class="words">{values.map(({ value }) => shown(value)).join(', ') || '–'}</span>
  </p>
)
