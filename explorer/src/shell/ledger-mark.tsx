import { useContext } from 'preact/hooks'
import { OverviewContext } from '../state/overview.ts'
import { useStanding } from '../state/pin.ts'
import { hrefOf } from '../state/router.ts'
import { useStack } from '../state/stack.ts'
import { Badge } from '../ui/badges.tsx'
import { count } from '../ui/format.ts'
import { Link } from '../ui/link.tsx'

/** The state of the ledger against the head that this browser pinned. */
export function LedgerMark() {
  const stack = useStack()
  const standing = useStanding(stack)
  const { value: overview } = useContext(OverviewContext)
  if (overview?.head === null) {
    return (
      <div data-ledger="empty">
        <Badge>Ledger is empty</Badge>
      </div>
    )
  }
  return (
    <div data-ledger={standing.type}>
      <Link class="item-link" href={hrefOf(stack, 'ledger')}>
        {standing.type === 'checking' && <Badge>Checking the ledger …</Badge>}
        {standing.type === 'unchecked' && (
          <Badge tone="warn" title={standing.words}>
            Ledger not checked
          </Badge>
        )}
        {standing.type === 'sound' && (
          <Badge tone="good" title="Checked in this browser against the head it pinned">
            <span>
              ✓ Ledger sound<span class="wide-only">, {count(standing.pin.size)}</span>
            </span>
          </Badge>
        )}
        {standing.type === 'broken' && (
          <Badge tone="bad" title={standing.words}>
            ✕ Ledger was changed
          </Badge>
        )}
      </Link>
    </div>
  )
}
