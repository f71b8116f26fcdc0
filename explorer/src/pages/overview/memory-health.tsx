import { useOperation } from '../../state/query.ts'
import { Badge, type Tone } from '../../ui/badges.tsx'
import { spaced } from '../../ui/format.ts'
import { Card, Empty, Meter, Shown } from '../../ui/parts.tsx'

interface Measured {
  readonly level: string
  readonly score: number
  readonly dimensions: Readonly<Record<string, number>>
}

const TONES: Readonly<Record<string, Tone>> = { calm: 'good', aware: 'info', elevated: 'warn' }

const colourOf = (score: number): string =>
  score < 30 ? 'var(--c3)' : score < 70 ? 'var(--c6)' : 'var(--c5)'

const words = (name: string): string => {
  const text = spaced(name)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Memory health: 0 is well kept, 100 needs work. */
export function MemoryHealth() {
  const asked = useOperation('health', {}, { still: true })
  return (
    <Shown asked={asked}>
      {({ health }) => {
        const measured = health as Measured | null // the component's own report
        return (
          <Card
            title="Memory health"
            aside={
              measured && (
                <Badge tone={TONES[measured.level] ?? 'bad'}>
                  {measured.level}, {Math.round(measured.score)} of 100
                </Badge>
              )
            }
          >
            {measured ? (
              <div class="stack">
                {Object.entries(measured.dimensions).map(([name, score]) => (
                  <Meter
                    key={name}
                    label={words(name)}
                    value={score / 100}
                    text={String(Math.round(score))}
                    colour={colourOf(score)}
                  />
                ))}
              </div>
            ) : (
              <Empty>There is nothing to measure yet.</Empty>
            )}
          </Card>
        )
      }}
    </Shown>
  )
}
