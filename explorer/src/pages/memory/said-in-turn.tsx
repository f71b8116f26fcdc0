import type { Why } from '../../../../src/engine/history/why.ts'
import { RefLink } from '../../ui/badges.tsx'

/** The sentence of the person that states the memory, or that no captured words do. */
export function SaidInTurn({ turn }: { readonly turn: Why['turn'] }) {
  if (turn === null) return null
  const { statedBy, promptsInSession } = turn
  if (statedBy === null) {
    const absence =
      promptsInSession === 0
        ? 'No words of yours were captured in this turn.'
        : 'No words of yours in this turn state it.'
    return <p class="soft">{absence}</p>
  }
  return (
    <p>
      {statedBy.isSameTurn ? 'Said in this turn: ' : 'Said earlier: '}
      <RefLink of={statedBy.ref}>
        <span class="words">“{statedBy.text ?? '(withheld)'}”</span>
      </RefLink>
    </p>
  )
}
