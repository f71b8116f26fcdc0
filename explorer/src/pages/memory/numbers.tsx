import type { Why } from '../../../../src/engine/history/why.ts'
import type { NumberChange } from '../../../../src/engine/read/memory-view.ts'
import { RefLink, When } from '../../ui/badges.tsx'
import { finePercent, spoken } from '../../ui/format.ts'
import { Card, Empty } from '../../ui/parts.tsx'
import { Chart } from './chart.tsx'

/** How likely it was held true and how readily it came to mind, over time, with the reasons. */
export function Numbers({ why }: { readonly why: Why }) {
  const { memory, confidenceHistory, strengthHistory } = why
  const moves = [
    ...confidenceHistory.map((change) => ({ ...change, which: 'Confidence' })),
    ...strengthHistory.map((change) => ({ ...change, which: 'Strength' })),
  ].sort((a, b) => a.seq - b.seq)
  return (
    <Card title="Over time">
      <Chart
        from={memory.createdAt}
        confidence={{
          born: memory.provenance.confidence,
          moves: confidenceHistory,
          now: memory.confidence,
        }}
        strength={{
          born: bornOf(strengthHistory, memory.stored.strength),
          moves: strengthHistory,
          now: memory.strength,
        }}
      />
      {moves.length === 0 ? (
        <Empty>No entry moved its numbers since its birth.</Empty>
      ) : (
        <ul class="list small">
          {moves.map(({ which, seq, time, old, new: now, reason, text, evidence }) => (
            <li key={`${which}${seq}`}>
              <div class="row">
                <strong>
                  {which} {finePercent(old)} → {finePercent(now)}
                </strong>
                <span>{spoken(reason)}</span>
                <When at={time} />
                <span class="soft">entry {seq}</span>
              </div>
              {text !== null && <p class="words">“{text}”</p>}
              {evidence.length > 0 && (
                <p class="soft">
                  on the evidence of{' '}
                  {evidence.map((ref) => (
                    <span key={ref}>
                      <RefLink of={ref} />{' '}
                    </span>
                  ))}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const bornOf = (moves: readonly NumberChange[], stored: number): number => moves[0]?.old ?? stored
