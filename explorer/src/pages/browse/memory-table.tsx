import { useEffect, useRef, useState } from 'preact/hooks'
import { go, goQuery, hrefOf } from '../../state/router.ts'
import { useStack } from '../../state/stack.ts'
import { kindColour } from '../../ui/colours.ts'
import { exactly } from '../../ui/format.ts'
import { useKeys } from '../../ui/keys.ts'
import { Link } from '../../ui/link.tsx'
import { COLUMNS, type Column, type Row, type Sorting } from './row.ts'

const ROW = 36 // pixels
const MARGIN = 10 // rows drawn above and below the visible rows
const AHEAD = 60 // rows before the end at which the next page is fetched

interface Props {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  readonly sorting: Sorting
  readonly onEnd: () => void
}

/** A table of any length; the page draws the visible rows alone. */
export function MemoryTable({ rows, hasMore, sorting, onEnd }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const stack = useStack()
  const [view, setView] = useState({ top: 0, height: 600 })
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, rows.length - 1)
  const first = Math.max(0, Math.floor(view.top / ROW) - MARGIN)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW) + MARGIN)
  useEffect(() => {
    if (last + AHEAD >= rows.length) onEnd()
  }, [last, rows.length, onEnd])
  const look = (): void => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = box.current ?? {}
    setView({ top, height })
  }
  useEffect(look, [])
  const choose = (next: number): void => {
    const index = Math.max(0, Math.min(rows.length - 1, next))
    setChosen(index)
    const { current } = box
    if (!current) return
    const room = current.clientHeight - 2 * ROW // the head covers one row
    if (index * ROW < current.scrollTop) current.scrollTop = index * ROW
    if (index * ROW > current.scrollTop + room) current.scrollTop = index * ROW - room
    table.current?.focus({ preventScroll: true })
  }
  const page = Math.max(1, Math.floor(view.height / ROW) - 2)
  const open = (): void => {
    const row = rows[at]
    if (row) go(hrefOf(stack, 'memory', row.ref))
  }
  useKeys({ j: () => choose(at + 1), k: () => choose(at - 1) })
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => choose(at + 1),
    ArrowUp: () => choose(at - 1),
    PageDown: () => choose(at + page),
    PageUp: () => choose(at - page),
    Home: () => choose(0),
    End: () => choose(rows.length - 1),
    Enter: open,
  }
  return (
    <div ref={box} class="table-box" onScroll={look}>
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: keys choose a row
        role="grid"
        tabIndex={0}
        aria-label="Memories"
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-activedescendant={at >= first && at < last ? `row-${at}` : undefined}
        onKeyDown={(event) => {
          const run = event.target === table.current ? moves[event.key] : undefined
          if (!run || event.ctrlKey || event.metaKey || event.altKey) return
          event.preventDefault()
          run()
        }}
      >
        <Head sorting={sorting} />
        <tbody>
          <Gap rows={first} />
          {rows.slice(first, last).map((row, offset) => {
            const index = first + offset
            return (
              <tr
                key={row.ref}
                id={`row-${index}`}
                aria-rowindex={index + 2}
                aria-selected={index === at}
                onClick={() => setChosen(index)}
              >
                {COLUMNS.map(({ name, cell }) => (
                  <td key={name} class={name} title={titleOf(row, name)}>
                    {name === 'words' ? (
                      <Link tabIndex={-1} class="item-link" href={hrefOf(stack, 'memory', row.ref)}>
                        {cell(row)}
                      </Link>
                    ) : (
                      <>
                        {name === 'kind' && (
                          <span class="dot" style={{ background: kindColour(row.kind) }} />
                        )}
                        {cell(row)}
                      </>
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
          <Gap rows={rows.length - last} />
        </tbody>
      </table>
    </div>
  )
}

const titleOf = (row: Row, name: Column): string | undefined => {
  if (name === 'words') return row.ref
  if (name === 'created') return exactly(row.created)
  return name === 'actor' ? row.actor : undefined
}

/** Room for the rows that are not drawn. */
const Gap = ({ rows }: { readonly rows: number }) =>
  rows > 0 ? (
    <tr>
      <td aria-hidden="true" style={{ height: `${rows * ROW}px` }} />
    </tr>
  ) : null

const Head = ({ sorting: { by, isRising } }: { readonly sorting: Sorting }) => (
  <thead>
    <tr aria-rowindex={1}>
      {COLUMNS.map(({ name, title }) => (
        <th
          key={name}
          scope="col"
          class={name}
          aria-sort={by === name ? (isRising ? 'ascending' : 'descending') : undefined}
        >
          <button
            type="button"
            onClick={() => {
              // A first click shows the largest number or the first word.
              const rises =
                by === name ? !isRising : ['kind', 'words', 'actor', 'status'].includes(name)
              goQuery({ sort: name, order: rises ? 'rising' : 'falling' })
            }}
          >
            {title}
            <span aria-hidden="true">{by === name ? (isRising ? ' ▲' : ' ▼') : ''}</span>
          </button>
        </th>
      ))}
    </tr>
  </thead>
)
