import { useMemo } from 'preact/hooks'
import type { LineageStep } from '../../../../src/engine/read/memory-view.ts'
import type { Explanation } from '../../../../src/operations/why.ts'
import { useAsOf } from '../../state/stack.ts'
import { KindBadge, RefLink } from '../../ui/badges.tsx'
import { plural } from '../../ui/format.ts'
import { Card } from '../../ui/parts.tsx'
import { Graph } from './graph.tsx'
import { SaidInTurn } from './said-in-turn.tsx'

const NODES_MAX = 400 // more than that is no picture
const LISTED_MAX = 100

/** What it was made from up to the words themselves, and what rests on it. */
export function Lineage({
  why: { memory, lineage, turn, impact: down },
}: {
  readonly why: Explanation
}) {
  const { asOf } = useAsOf()
  const sources = lineage.filter((step) => step.memory.ref !== memory.ref)
  const own = lineage.find((step) => step.memory.ref === memory.ref)
  const up = useMemo(() => nearest(sources, NODES_MAX / 2), [lineage])
  const below = useMemo(() => nearest(down, NODES_MAX / 2), [down])
  const left = sources.length + down.length - up.length - below.length
  return (
    <Card
      title="Lineage"
      aside={
        <span class="soft small">
          {plural(sources.length, 'source')} above, {plural(down.length, 'memory', 'memories')}{' '}
          resting on it
        </span>
      }
    >
      {own && <Graph focus={own} up={up} down={below} />}
      <SaidInTurn turn={turn} />
      {left > 0 && <p class="soft small">{plural(left, 'more')} left out of the picture.</p>}
      {asOf !== undefined && <p class="soft small">What rests on it is shown of now alone.</p>}
      <details>
        <summary>Show as a list</summary>
        <Steps title="Made from, roots first" steps={sources} />
        <Steps title="What rests on it, nearest first" steps={down} />
      </details>
    </Card>
  )
}

const nearest = (steps: readonly LineageStep[], max: number): readonly LineageStep[] =>
  [...steps].sort((a, b) => a.distance - b.distance).slice(0, max)

const Steps = ({
  title,
  steps,
}: {
  readonly title: string
  readonly steps: readonly LineageStep[]
}) => (
  <>
    <h3 class="list-title">
      {title}: {steps.length}
    </h3>
    <ul class="list small">
      {steps.slice(0, LISTED_MAX).map(({ memory: { ref, kind, text }, distance }) => (
        <li key={ref} class="row">
          <KindBadge kind={kind} />
          <span class="soft">{plural(distance, 'step')}</span>
          <RefLink of={ref}>
            <span class="words clip">{text}</span>
          </RefLink>
        </li>
      ))}
    </ul>
    {steps.length > LISTED_MAX && <p class="soft">and {steps.length - LISTED_MAX} more</p>}
  </>
)
