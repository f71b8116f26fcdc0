import type { ComponentChildren } from 'preact'
import { ApiError } from '../api/client.ts'
import type { Asked } from '../state/query.ts'
import { count, percent } from './format.ts'

/** A part of a page, announced by its heading. */
export function Card({
  title,
  children,
  aside,
}: {
  readonly title: string
  readonly children: ComponentChildren
  readonly aside?: ComponentChildren
}) {
  const id = `card-${title.toLowerCase().replaceAll(/\W+/g, '-')}`
  return (
    <section class="card" aria-labelledby={id}>
      <div class="row spread">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

export const PageHead = ({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) => (
  <div class="page-head">
    <h1>{title}</h1>
    {children}
  </div>
)

export const Empty = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="empty">{children}</p>
)

export function Problem({ error }: { readonly error: Error }) {
  const { hint, issues } =
    error instanceof ApiError ? error : { hint: null, issues: [] as ApiError['issues'] }
  return (
    <div class="problem" role="alert">
      <strong>{error.message}</strong>
      {issues.map(({ path, message }) => (
        <p key={path}>
          {path}: {message}
        </p>
      ))}
      {hint !== null && <p>{hint}</p>}
    </div>
  )
}

/** What was asked for, or why it is not there. */
export function Shown<T>({
  asked,
  children,
}: {
  readonly asked: Asked<T>
  readonly children: (value: T) => ComponentChildren
}) {
  if (asked.error) return <Problem error={asked.error} />
  if (asked.value === null) {
    return asked.isLoading ? (
      <p class="empty" role="status">
        Looking …
      </p>
    ) : null
  }
  return <>{children(asked.value)}</>
}

const bounded = (value: number): number => Math.min(1, Math.max(0, value))

/** A number between 0 and 1, as a bar with its figure. */
export const Meter = ({
  label,
  value,
  text = percent(value),
  colour = 'var(--accent)',
}: {
  readonly label: string
  readonly value: number
  readonly text?: string
  readonly colour?: string
}) => (
  <div class="meter">
    <span>{label}</span>
    <span class="num soft">{text}</span>
    <div class="track" aria-hidden="true">
      <span style={{ width: `${bounded(value) * 100}%`, background: colour }} />
    </div>
  </div>
)

export interface Segment {
  readonly name: string
  readonly count: number
  readonly colour: string
}

/** Parts of a whole, with a legend that says the same in words. */
export function Segments({
  of,
  label,
}: {
  readonly of: readonly Segment[]
  readonly label: string
}) {
  const parts = of.filter((part) => part.count > 0)
  if (parts.length === 0) return <Empty>Nothing yet.</Empty>
  return (
    <div>
      <div class="segments" aria-hidden="true">
        {parts.map((part) => (
          <span key={part.name} style={{ flexGrow: part.count, background: part.colour }} />
        ))}
      </div>
      <ul class="legend" aria-label={label}>
        {parts.map((part) => (
          <li key={part.name}>
            <span class="dot" style={{ background: part.colour }} />
            {part.name} <span class="soft num">{count(part.count)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
