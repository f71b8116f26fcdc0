import type { Difference } from '../../../../src/engine/history/history.ts'
import type { Memory } from '../../../../src/engine/read/memory-view.ts'
import { useOperation } from '../../state/query.ts'
import { KindBadge, LabelBadge, RefLink, TierBadge } from '../../ui/badges.tsx'
import { count, finePercent, spaced } from '../../ui/format.ts'
import { Card, Empty, Shown } from '../../ui/parts.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'

const ENTRIES_MAX = 3_000 // of one difference: each memory that was touched is folded twice

/** What was learnt, lost and changed between two entries. */
export function Differences({ from, to }: { readonly from: number; readonly to: number }) {
  const isTooFar = to - from > ENTRIES_MAX
  const asked = useOperation(
    'diff',
    isTooFar || from === to ? null : { from: String(from), to: String(to) },
    { still: true, isPaced: true },
  )
  if (from === to) return <Empty>Both are the same moment.</Empty>
  if (isTooFar) {
    return (
      <Empty>
        More than {count(ENTRIES_MAX)} entries lie between them. Move them closer together to see
        what changed.
      </Empty>
    )
  }
  return (
    <Shown asked={asked}>
      {({ added, lost, changed }) => (
        <div class={`cards thirds ${asked.isLoading ? 'stale' : ''}`}>
          <Side title="Learnt" items={added} none="Nothing was learnt." />
          <Side title="Changed" items={changed} none="Nothing changed." />
          <Side title="Lost" items={lost} none="Nothing was lost." />
        </div>
      )}
    </Shown>
  )
}

const ROW = 66

const Side = ({
  title,
  items,
  none,
}: {
  readonly title: string
  readonly items: readonly Difference[]
  readonly none: string
}) => (
  <Card title={title} aside={<span class="num soft">{count(items.length)}</span>}>
    {items.length === 0 ? (
      <Empty>{none}</Empty>
    ) : (
      <VirtualList
        count={items.length}
        rowHeight={ROW}
        height={Math.min(520, items.length * ROW)}
        label={title}
        row={(index) => {
          const item = items[index]
          return item && <Row item={item} />
        }}
      />
    )}
  </Card>
)

function Row({ item: { ref, before, after, members } }: { readonly item: Difference }) {
  const memory = after ?? before
  if (!memory) return null
  return (
    <div class="difference">
      <RefLink of={ref}>
        <span class="words one-line">{memory.text}</span>
      </RefLink>
      <div class="row">
        <KindBadge kind={memory.kind} />
        {before === null ? (
          <>
            <LabelBadge label={memory.provenance.label} />
            <TierBadge tier={memory.tier} />
          </>
        ) : (
          <Changes of={members.map((member) => changeOf(member, before, after)).join(', ')} />
        )}
      </div>
    </div>
  )
}

/** One line of it, and all of it to whoever points there: rows of a long list are of one height. */
const Changes = ({ of }: { readonly of: string }) => (
  <span class="small one-line" title={of}>
    {of}
  </span>
)

function changeOf(member: string, before: Memory, after: Memory | null): string {
  if (!after) return member
  if (member === 'stored') {
    const moves = (['confidence', 'strength'] as const).flatMap((name) => {
      const [old, now] = [before.stored[name], after.stored[name]]
      return old === now ? [] : [`${name} ${finePercent(old)} → ${finePercent(now)}`]
    })
    return moves.join(', ')
  }
  if (member === 'disposition') return `${before.disposition} → ${after.disposition}`
  return spaced(member).toLowerCase()
}
