import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface Props {
  readonly count: number
  readonly rowHeight: number
  /** Of the window, in pixels. */
  readonly height: number
  readonly label: string
  readonly row: (index: number) => ComponentChildren
  /** Receives the range of drawn rows, so that the page can fetch them. */
  readonly onRange?: (first: number, last: number) => void
}

const MARGIN = 12 // rows drawn above and below what is seen
const HEIGHT_MAX = 8_000_000 // browsers draw no higher boxes

/** A list of any length of which only what is looked at is drawn. */
export function VirtualList({ count, rowHeight, height, label, row, onRange }: Props) {
  const box = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const total = Math.min(count * rowHeight, HEIGHT_MAX)
  const ratio = total === 0 ? 1 : (count * rowHeight - height) / Math.max(1, total - height)
  const from = top * Math.max(1, ratio) // rows are further apart than they look where the box is capped
  const first = Math.max(0, Math.floor(from / rowHeight) - MARGIN)
  const last = Math.min(count - 1, Math.ceil((from + height) / rowHeight) + MARGIN)
  useEffect(() => onRange?.(first, last), [first, last, onRange])
  const rows = []
  for (let index = first; index <= last; index += 1) {
    const y = index * rowHeight - from + top
    rows.push(
      <li
        key={index}
        class="at"
        aria-setsize={count}
        aria-posinset={index + 1}
        style={{ transform: `translateY(${y}px)`, height: `${rowHeight}px` }}
      >
        {row(index)}
      </li>,
    )
  }
  return (
    <section
      ref={box}
      class="virtual"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
      tabIndex={0}
      aria-label={label}
      style={{ height: `${Math.min(height, Math.max(total, rowHeight))}px` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul style={{ height: `${total}px`, position: 'relative' }}>{rows}</ul>
    </section>
  )
}
