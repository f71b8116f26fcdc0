import { useContext, useEffect, useState } from 'preact/hooks'
import { OverviewContext } from '../../state/overview.ts'
import { useOperation } from '../../state/query.ts'
import { goQuery, hrefOf, usePlace } from '../../state/router.ts'
import { useStack } from '../../state/stack.ts'
import { count, exactly, plural } from '../../ui/format.ts'
import { Link } from '../../ui/link.tsx'
import { Card, Empty, PageHead } from '../../ui/parts.tsx'
import { sayError } from '../../ui/toasts.tsx'
import { lineOf, linesFrom } from '../ledger/entries.ts'
import { Activity } from './activity.tsx'
import { lastUntil } from './days.ts'
import { Differences } from './differences.tsx'

const ADDRESS_MS = 250 // browsers refuse an address that changes with every step
const SPAN = 40 // entries between the two moments at first

/** Activity by day, and the changes between two moments. */
export function Time() {
  const overview = useContext(OverviewContext)
  const head = overview.value?.head?.seq ?? null
  return (
    <>
      <PageHead title="Time">
        <p>Nothing is overwritten: any past moment can be opened again.</p>
      </PageHead>
      {head === null ? (
        <Empty>Nothing was written to this stack yet.</Empty>
      ) : (
        <Sliders head={head} />
      )}
    </>
  )
}

function Sliders({ head }: { readonly head: number }) {
  const { query } = usePlace()
  const stack = useStack()
  const [from, setFrom] = useState(bounded(query.get('from'), head, Math.max(0, head - SPAN)))
  const [to, setTo] = useState(bounded(query.get('to'), head, head))
  useEffect(() => {
    const timer = setTimeout(() => goQuery({ from, to }), ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [from, to])
  return (
    <>
      <Activity
        head={head}
        onChoose={({ first, last }) => {
          setFrom(Math.max(0, first - 1))
          setTo(last)
        }}
      />
      <Card title="Between two moments">
        <div class="stack">
          <Moment label="From" value={from} head={head} onMove={setFrom} />
          <Moment label="To" value={to} head={head} onMove={setTo} />
          <p class="row">
            <span class="soft">
              {plural(Math.abs(to - from), 'entry', 'entries')} between them.
            </span>
            <Link class="btn" href={hrefOf(stack, 'search', '', { asof: to })}>
              Look around as of entry {count(to)}
            </Link>
          </p>
        </div>
      </Card>
      <Differences from={Math.min(from, to)} to={Math.max(from, to)} />
    </>
  )
}

function bounded(text: string | null, head: number, usual: number): number {
  if (text === null || !/^\d+$/.test(text)) return usual
  return Math.min(head, Number(text))
}

interface MomentProps {
  readonly label: string
  readonly value: number
  readonly head: number
  readonly onMove: (seq: number) => void
}

function Moment({ label, value, head, onMove }: MomentProps) {
  const entry = useOperation('entries', { from: value, limit: 1 }, { still: true, isPaced: true })
  const [line] = entry.value?.entries ?? []
  const time = line && line.seq === value ? lineOf(line).said.time : null
  const stack = useStack()
  const moveToDay = (day: string): void => {
    if (day === '') return
    // "From" begins with the day, "To" ends with it.
    const until = label === 'From' ? `${day}T00:00:00.000Z` : `${day}T23:59:59.999Z`
    const timeAt = async (seq: number): Promise<string> =>
      (await linesFrom(stack, seq, 1))[0]?.said.time ?? ''
    lastUntil(until, head, timeAt).then((seq) => onMove(Math.max(0, seq)), sayError)
  }
  return (
    <div class="moment">
      <label class="row">
        <span>{label}</span>
        <input
          type="date"
          aria-label={`${label} day`}
          value={time?.slice(0, 10) ?? ''}
          onChange={(event) => moveToDay(event.currentTarget.value)}
        />
      </label>
      <input
        type="range"
        aria-label={label}
        min={0}
        max={head}
        value={value}
        aria-valuetext={`entry ${value}${time === null ? '' : `, ${exactly(time)}`}`}
        onInput={(event) => onMove(Number(event.currentTarget.value))}
      />
      <span class="num small nowrap">
        entry {count(value)}{' '}
        <span class="soft">{time !== null ? exactly(time).slice(0, 16) : '…'}</span>
      </span>
    </div>
  )
}
