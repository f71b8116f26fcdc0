import { useState } from 'preact/hooks'
import { useOperation } from '../../state/query.ts'
import { useAsOf } from '../../state/stack.ts'
import { RefLink } from '../../ui/badges.tsx'
import { Card, Shown } from '../../ui/parts.tsx'
import { type FilterValues, narrowedBy } from './filters.tsx'
import { SignalBars } from './signal-bars.tsx'

/** What kept a memory out that one expected, and what would bring it in. */
export function WhyNotPanel({
  query,
  filters,
}: {
  readonly query: string
  readonly filters: FilterValues
}) {
  const [typed, setTyped] = useState('')
  const [ref, setRef] = useState('')
  const past = useAsOf()
  const asked = useOperation(
    'search',
    ref === ''
      ? null
      : {
          query,
          whyNot: ref,
          ...past,
          ...narrowedBy(filters),
        },
  )
  return (
    <Card title="Did you expect another memory?">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          setRef(typed.trim())
        }}
      >
        <label class="field grow">
          <span>Its ref, or the end of it, such as belief:4a7c</span>
          <input
            type="text"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="btn">
          Why not?
        </button>
      </form>
      {ref !== '' && (
        <Shown asked={asked}>
          {(answer) =>
            'reasons' in answer && (
              <div class="stack why-not">
                <p>
                  <RefLink of={answer.ref} />{' '}
                  {answer.isShown ? 'is among the results.' : 'is not shown, because:'}
                </p>
                <ul class="bullets">
                  {answer.reasons.map(({ code, because, remedy }) => (
                    <li key={code}>
                      {because}
                      {remedy !== null && <span class="soft">. To see it: {remedy}</span>}
                    </li>
                  ))}
                </ul>
                {answer.explained && (
                  <SignalBars
                    explained={answer.explained}
                    most={Math.max(
                      1e-9,
                      ...answer.explained.signals.map(({ share }) => Math.abs(share)),
                    )}
                  />
                )}
              </div>
            )
          }
        </Shown>
      )}
    </Card>
  )
}
