import type { Explained } from '../../../../src/engine/search/explained.ts'
import { spaced } from '../../ui/format.ts'

/** What each signal gave, to the right, or took, to the left, on one scale for all results. */
export const SignalBars = ({
  explained: { signals, says, lacks },
  most,
}: {
  readonly explained: Explained
  readonly most: number
}) => (
  <div class="stack">
    <ul class="bars">
      {signals.map(({ signal, share, words }) => (
        <li key={signal}>
          <span class="name">{spaced(signal)}</span>
          <span class="lane" aria-hidden="true">
            <span
              class={share < 0 ? 'took' : 'gave'}
              style={{ width: `${Math.min(50, (Math.abs(share) / most) * 50)}%` }}
            />
          </span>
          <span class="num small">
            {share >= 0 ? '+' : '−'}
            {Math.abs(share).toFixed(2)}
          </span>
          <span class="soft small detail">{words}</span>
        </li>
      ))}
    </ul>
    <p class="small">
      {says.length > 0 && <>Says: {says.join(', ')}. </>}
      {lacks.length > 0 && <span class="soft">Lacks: {lacks.join(', ')}.</span>}
    </p>
  </div>
)
