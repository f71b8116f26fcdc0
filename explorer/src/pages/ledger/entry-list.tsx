import { useCallback, useEffect, useState } from 'preact/hooks'
import { ENTRY_OPS } from '../../../../src/domain/entry.ts'
import { useStack } from '../../state/stack.ts'
import { ago, count, exactly, plural, shortRef, spaced, spoken } from '../../ui/format.ts'
import { Card, Problem } from '../../ui/parts.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { type Line, linesFrom, useLines } from './entries.ts'

const ROW = 38
const HEIGHT = 520

interface Props {
  readonly head: number
  readonly chosen: number | null
  readonly onChoose: (seq: number) => void
}

/** Entries, the newest first, as they come; or those of one sort, found by walking back. */
export function EntryList({ head, chosen, onChoose }: Props) {
  const [op, setOp] = useState('')
  const [about, setAbout] = useState('')
  const isFiltered = op !== '' || about.trim() !== ''
  return (
    <Card
      title="Entries"
      aside={
        <span class="soft small" role="status">
          <span class="live" aria-hidden="true" /> live, {plural(head + 1, 'entry', 'entries')}
        </span>
      }
    >
      <div class="row filters-row">
        <label class="field">
          <span>What happened</span>
          <select value={op} onChange={(event) => setOp(event.currentTarget.value)}>
            <option value="">anything</option>
            {ENTRY_OPS.map((each) => (
              <option key={each} value={each}>
                {spoken(each)}
              </option>
            ))}
          </select>
        </label>
        <label class="field grow">
          <span>Kind or ref</span>
          <input
            type="search"
            value={about}
            placeholder="claim, belief:4a7c …"
            onInput={(event) => setAbout(event.currentTarget.value)}
          />
        </label>
      </div>
      {isFiltered ? (
        <Found head={head} op={op} about={about.trim()} chosen={chosen} onChoose={onChoose} />
      ) : (
        <All head={head} chosen={chosen} onChoose={onChoose} />
      )}
    </Card>
  )
}

function All({ head, chosen, onChoose }: Props) {
  const stack = useStack()
  const { at, need } = useLines(stack)
  const onRange = useCallback(
    (first: number, last: number) => need(Math.max(0, head - last), head - first),
    [head, stack],
  )
  return (
    <VirtualList
      count={head + 1}
      rowHeight={ROW}
      height={HEIGHT}
      label="Entries, newest first"
      onRange={onRange}
      row={(index) => (
        <Row seq={head - index} line={at(head - index)} chosen={chosen} onChoose={onChoose} />
      )}
    />
  )
}

const SCAN = 1_000 // entries looked at a time …
const ENOUGH = 200 // … until there are this many, or the beginning is reached

interface Scanned {
  readonly lines: readonly Line[]
  /** The next one to look at, walking back; below 0 all were looked at. */
  readonly next: number
  readonly error: Error | null
}

function Found({
  head,
  op,
  about,
  chosen,
  onChoose,
}: Props & { readonly op: string; readonly about: string }) {
  const stack = useStack()
  const [scan, setScan] = useState<Scanned>({ lines: [], next: head, error: null })
  const [wanted, setWanted] = useState(ENOUGH)
  useEffect(() => {
    setScan({ lines: [], next: head, error: null })
    setWanted(ENOUGH)
  }, [stack, op, about])
  useEffect(() => {
    if (scan.next < 0 || scan.lines.length >= wanted || scan.error) return
    let isGone = false
    const from = Math.max(0, scan.next - SCAN + 1)
    linesFrom(stack, from, scan.next - from + 1).then(
      (found) => {
        if (isGone) return
        const fits = found.filter((line) => isLike(line, op, about)).reverse()
        setScan({ lines: [...scan.lines, ...fits], next: from - 1, error: null })
      },
      (error: Error) => !isGone && setScan({ ...scan, error }),
    )
    return () => {
      isGone = true
    }
  }, [scan, wanted, stack])
  const isLooking = scan.next >= 0 && scan.lines.length < wanted
  return (
    <>
      {scan.error && <Problem error={scan.error} />}
      <p class="soft small" role="status">
        {count(scan.lines.length)} found
        {isLooking ? `, looking back from ${count(scan.next)} …` : ''}
        {scan.next < 0 ? ' in the whole ledger' : ''}
      </p>
      <VirtualList
        count={scan.lines.length}
        rowHeight={ROW}
        height={HEIGHT}
        label="Entries that fit, newest first"
        row={(index) => {
          const line = scan.lines[index]
          return line && <Row seq={line.seq} line={line} chosen={chosen} onChoose={onChoose} />
        }}
      />
      {scan.next >= 0 && !isLooking && (
        <button type="button" class="btn" onClick={() => setWanted(wanted + ENOUGH)}>
          Look further back
        </button>
      )}
    </>
  )
}

const isLike = ({ said }: Line, op: string, about: string): boolean =>
  (op === '' || said.op === op) &&
  (about === '' ||
    (said.ref !== null &&
      (said.ref.startsWith(`${about}:`) || said.ref.endsWith(about.split(':').at(-1) ?? about))))

/** What goes without saying is not said in every row. */
const USUAL: ReadonlySet<string> = new Set(['CommittedCheap', 'CommittedInferred'])

interface RowProps {
  readonly seq: number
  readonly line: Line | undefined
  readonly chosen: number | null
  readonly onChoose: (seq: number) => void
}

function Row({ seq, line, chosen, onChoose }: RowProps) {
  if (!line) return <span class="entry-row soft">#{seq} …</span>
  const { op, ref, time, decision } = line.said
  return (
    <button
      type="button"
      class="entry-row"
      aria-pressed={chosen === seq}
      onClick={() => onChoose(seq)}
    >
      <code class="num">#{seq}</code>
      <span class="op">{spoken(op)}</span>
      <span class="soft small ref">{ref === null ? '' : shortRef(ref)}</span>
      <span class="word">
        {decision.disposition !== null && !USUAL.has(decision.disposition) && (
          <span class="small">{spaced(decision.disposition).toLowerCase()}</span>
        )}
      </span>
      <time class="soft small" dateTime={time} title={exactly(time)}>
        {ago(time)}
      </time>
    </button>
  )
}
