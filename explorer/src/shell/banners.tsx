import { useStanding } from '../state/pin.ts'
import { goQuery, hrefOf, usePlace } from '../state/router.ts'
import { exactly } from '../ui/format.ts'
import { Link } from '../ui/link.tsx'

/** What has to be known on every page: another ledger, another time. */
export function Banners() {
  const { stack, query, page } = usePlace()
  const standing = useStanding(stack)
  const asOf = query.get('asof')
  return (
    <>
      {standing.type === 'broken' && (
        <div class="banner bad" role="alert">
          <strong>This is not the ledger that this browser knows.</strong>
          <span>
            {standing.words} Pinned {exactly(standing.pin.at)}.
          </span>
          {page !== 'ledger' && <Link href={hrefOf(stack, 'ledger')}>Look at the ledger</Link>}
        </div>
      )}
      {asOf !== null && (
        <div class="banner" role="status">
          <span>
            You look at what was known at{' '}
            <strong>{/^\d+$/.test(asOf) ? `entry ${asOf}` : asOf}</strong>.
          </span>
          <button type="button" class="btn" onClick={() => goQuery({ asof: null })}>
            Back to now
          </button>
        </div>
      )}
    </>
  )
}
