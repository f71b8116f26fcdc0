import type { Why } from '../../../../src/engine/history/why.ts'
import { RefLink } from '../../ui/badges.tsx'

/** The person's prompt nearest to the memory; readers judge whether its words state it. */
export function SaidInTurn({ turn }: { readonly turn: Why['turn'] }) {
  if (turn === null) return null
  const { nearestWords, promptsInSession } = turn
  if (nearestWords === null) {
    const absence =
      promptsInSession === 0
        ? 'No words of yours were captured in this turn.'
        : 'No words of yours in this turn state it.'
    return <p class="soft">{absence}</p>
  }
  return (
    <p>
      {nearestWords.isSameTurn ? 'Said in this turn: ' : 'Said earlier: '}
      <RefLink of={nearestWords.ref}>
        <span class="words">“{nearestWords.prompt ?? '(withheld)'}”</span>
      </RefLink>
      <span class="soft"> Whether these words state it is for you to judge.</span>
    </p>
  )
}
