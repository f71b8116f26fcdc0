import { useMemo, useState } from 'preact/hooks'
import type { Memory } from '../../../../src/stack/memory-view.ts'
import { useOperation } from '../../state/query.ts'
import { goQuery, usePlace } from '../../state/router.ts'
import { Badge } from '../../ui/badges.tsx'
import { count, plural, shown } from '../../ui/format.ts'
import { Card, Empty, PageHead, Shown } from '../../ui/parts.tsx'
import { Line } from './line.tsx'

const CLAIMS = 1_000

/** What is said of things: one line a subject and predicate. */
export function Lines() {
  const { query } = usePlace()
  const subject = query.get('subject')
  const predicate = query.get('predicate')
  const claims = useOperation('list', { kind: 'claim', limit: CLAIMS, all: true })
  return (
    <>
      <PageHead title="Lines">
        <p>What is claimed of a subject, when it held, and when it was said.</p>
      </PageHead>
      <div class="review">
        <Shown asked={claims}>
          {(memories) => <Chooser memories={memories} subject={subject} predicate={predicate} />}
        </Shown>
        {subject !== null && predicate !== null ? (
          <Line key={`${subject}\n${predicate}`} subject={subject} predicate={predicate} />
        ) : (
          <Empty>Choose a line to see who says what.</Empty>
        )}
      </div>
    </>
  )
}

interface Group {
  readonly subject: string
  readonly predicate: string
  readonly claims: number
  readonly isContested: boolean
  readonly last: string
}

function Chooser({
  memories,
  subject,
  predicate,
}: {
  readonly memories: readonly Memory[]
  readonly subject: string | null
  readonly predicate: string | null
}) {
  const [text, setText] = useState('')
  const groups = useMemo(() => groupsOf(memories), [memories])
  const wanted = text.trim().toLowerCase()
  const fits = groups.filter((each) =>
    `${each.subject} ${each.predicate}`.toLowerCase().includes(wanted),
  )
  return (
    <Card title="Lines" aside={<span class="soft small">{plural(groups.length, 'line')}</span>}>
      <label class="field">
        <span>Subject or predicate</span>
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      {memories.length === CLAIMS && (
        <p class="soft small">Those of the newest {count(CLAIMS)} claims.</p>
      )}
      {groups.length === 0 && <Empty>Nothing was claimed yet.</Empty>}
      <ul class="queue-list">
        {fits.map((group) => (
          <li key={`${group.subject}\n${group.predicate}`}>
            <button
              type="button"
              class="queue-item"
              aria-current={
                group.subject === subject && group.predicate === predicate ? 'true' : undefined
              }
              onClick={() =>
                goQuery({ subject: group.subject, predicate: group.predicate }, { replace: false })
              }
            >
              <span>
                <strong>{group.subject}</strong> / {group.predicate}
              </span>
              <span class="row">
                {group.isContested && <Badge tone="warn">contested</Badge>}
                <span class="soft small">
                  {plural(group.claims, 'claim')}, last: {group.last}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function groupsOf(memories: readonly Memory[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const { body, review } of memories) {
    const { subject, predicate, value } = body as Partial<ClaimSaid> // an erased claim has none of them
    if (subject === undefined || predicate === undefined) continue
    const key = `${subject}\n${predicate}`
    const known = groups.get(key)
    groups.set(key, {
      subject,
      predicate,
      claims: (known?.claims ?? 0) + 1,
      isContested: known?.isContested === true || review === 'contest',
      last: known?.last ?? shown(value), // newest first
    })
  }
  return [...groups.values()].sort((a, b) => Number(b.isContested) - Number(a.isContested))
}

interface ClaimSaid {
  readonly subject: string
  readonly predicate: string
  readonly value: unknown
}
