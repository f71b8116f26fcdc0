import { useState } from 'preact/hooks'
import type { TimelineSummary } from '../../../../src/engine/claims/timelines.ts'
import { useOperation } from '../../state/query.ts'
import { goQuery, usePlace } from '../../state/router.ts'
import { Badge, When } from '../../ui/badges.tsx'
import { count, shown } from '../../ui/format.ts'
import { Card, Empty, PageHead, Shown } from '../../ui/parts.tsx'
import { Timeline } from './timeline.tsx'

const LIMIT = 60

/** Claims by subject and predicate: a list of timelines, and the chosen timeline. */
export function Claims() {
  const { query } = usePlace()
  const subject = query.get('subject')
  const predicate = query.get('predicate')
  return (
    <>
      <PageHead title="Claims">
        <p>What is claimed of a subject, when it held, and when it was said.</p>
      </PageHead>
      <div class="review">
        <Chooser />
        {subject !== null && predicate !== null ? (
          <Timeline key={`${subject}\n${predicate}`} subject={subject} predicate={predicate} />
        ) : (
          <Empty>Choose a subject and predicate to see who says what.</Empty>
        )}
      </div>
    </>
  )
}

const keyOf = ({ subject, predicate }: TimelineSummary): string => `${subject}\n${predicate}`

function Chooser() {
  const [text, setText] = useState('')
  const about = text.trim()
  const contested = useOperation('timelines', { contested: true, limit: LIMIT })
  const waiting = contested.value?.lines ?? []
  return (
    <Card title="Subjects">
      <label class="field">
        <span>Words of what is claimed</span>
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="queue-list">
        {about === '' ? (
          <>
            {waiting.length > 0 && <Group lines={waiting} label="Waiting for a verdict" />}
            <Newest but={new Set(waiting.map(keyOf))} />
          </>
        ) : (
          <Found about={about} />
        )}
      </div>
    </Card>
  )
}

function Found({ about }: { readonly about: string }) {
  const found = useOperation('timelines', { about, limit: LIMIT }, { isPaced: true })
  return (
    <Shown asked={found}>
      {({ lines }) =>
        lines.length === 0 && !found.isLoading ? (
          <Empty>Nothing is claimed in these words.</Empty>
        ) : (
          <Group lines={lines} label="Found" isStale={found.isLoading} />
        )
      }
    </Shown>
  )
}

interface NewestProps {
  readonly but: ReadonlySet<string>
  /** The page holds timelines before this entry; null begins at the newest. */
  readonly before?: number | null
}

/** A page of timelines and, on request, the next page, which begins at the present end of this one. */
function Newest({ but, before = null }: NewestProps) {
  const [isMoreWanted, wantMore] = useState(false)
  const asked = useOperation('timelines', { limit: LIMIT, ...(before === null ? {} : { before }) })
  return (
    <Shown asked={asked}>
      {({ lines, before: next }) => {
        if (lines.length === 0 && before === null) return <Empty>Nothing was claimed yet.</Empty>
        return (
          <>
            <Group
              lines={lines.filter((each) => !but.has(keyOf(each)))}
              label={before === null ? 'Spoken of last' : 'Before that'}
            />
            {next !== null &&
              (isMoreWanted ? (
                <Newest but={but} before={next} />
              ) : (
                <button type="button" class="btn" onClick={() => wantMore(true)}>
                  More claims
                </button>
              ))}
          </>
        )
      }}
    </Shown>
  )
}

interface GroupProps {
  readonly lines: readonly TimelineSummary[]
  readonly label: string
  readonly isStale?: boolean
}

function Group({ lines, label, isStale = false }: GroupProps) {
  const { query } = usePlace()
  const chosen = `${query.get('subject')}\n${query.get('predicate')}`
  return (
    <>
      <h3 class="group-head">{label}</h3>
      <ul class={isStale ? 'stale' : ''}>
        {lines.map((line) => (
          <li key={keyOf(line)}>
            <button
              type="button"
              class="queue-item"
              aria-current={keyOf(line) === chosen ? 'true' : undefined}
              onClick={() =>
                goQuery({ subject: line.subject, predicate: line.predicate }, { replace: false })
              }
            >
              <span>
                <strong>{line.subject}</strong> / {line.predicate}
              </span>
              <span class="row">
                {line.standing !== 'held' && (
                  <Badge tone={line.standing === 'contested' ? 'warn' : 'plain'}>
                    {line.standing}
                  </Badge>
                )}
                <span class="small clip">{valuesOf(line)}</span>
                <When at={line.saidAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function valuesOf({ values, valueCount, standing }: TimelineSummary): string {
  const listed = values.map(shown).join(standing === 'contested' ? ' or ' : ', ')
  return valueCount > values.length ? `${listed}, … ${count(valueCount)} in all` : listed
}
