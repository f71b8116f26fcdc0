import { useAnswer } from '../../state/query.ts'
import { useStack } from '../../state/stack.ts'
import { count, plural } from '../../ui/format.ts'
import { Card, Shown } from '../../ui/parts.tsx'
import { linesFrom } from '../ledger/entries.ts'
import { type Day, daysOf } from './days.ts'

const PAGE = 1_000 // entries of one request
const PAGES = 3

interface Props {
  readonly head: number
  readonly onChoose: (day: Day) => void
}

/** Entries per day among the newest entries; a bar chooses its day. */
export function Activity({ head, onChoose }: Props) {
  const stack = useStack()
  const from = Math.max(0, head + 1 - PAGES * PAGE)
  const asked = useAnswer(JSON.stringify(['activity', stack, head]), 0, async () => {
    const starts = Array.from({ length: PAGES }, (_, page) => from + page * PAGE)
    const pages = starts.filter((start) => start <= head).map((at) => linesFrom(stack, at, PAGE))
    return daysOf((await Promise.all(pages)).flat().map(({ said }) => said))
  })
  return (
    <Card
      title="Entries per day"
      aside={from > 0 && <span class="soft small">the newest {count(PAGES * PAGE)} entries</span>}
    >
      <Shown asked={asked}>{(days) => <Bars days={days} onChoose={onChoose} />}</Shown>
    </Card>
  )
}

interface BarsProps {
  readonly days: readonly Day[]
  readonly onChoose: (day: Day) => void
}

function Bars({ days, onChoose }: BarsProps) {
  const most = Math.max(1, ...days.map(({ entries }) => entries))
  return (
    <>
      <div class="activity">
        {days.map((day) => (
          <button
            key={day.day}
            type="button"
            disabled={day.entries === 0}
            title={`${day.day}: ${plural(day.entries, 'entry', 'entries')}`}
            aria-label={`${day.day}: ${plural(day.entries, 'entry', 'entries')}`}
            onClick={() => onChoose(day)}
          >
            <span style={{ height: `${(day.entries / most) * 100}%` }} />
          </button>
        ))}
      </div>
      <div class="row spread soft small">
        <span>{days[0]?.day}</span>
        <span>at most {count(most)} a day</span>
        <span>{days.at(-1)?.day}</span>
      </div>
    </>
  )
}
