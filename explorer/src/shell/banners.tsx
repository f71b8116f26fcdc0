import { useContext, useState } from 'preact/hooks'
import { call } from '../api/client.ts'
import { OverviewContext } from '../state/overview.ts'
import { useStanding } from '../state/pin.ts'
import { useOperation } from '../state/query.ts'
import { goQuery, hrefOf, usePlace } from '../state/router.ts'
import { useMayAct } from '../state/stack.ts'
import { exactly } from '../ui/format.ts'
import { Link } from '../ui/link.tsx'
import { sayError } from '../ui/toasts.tsx'

/** Warnings for every page: another ledger, another time, a clock that stops every write. */
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
      <ClockBanner stack={stack} />
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

/** A stack that a wrong clock dated takes nothing until a person says which clock is right. */
function ClockBanner({ stack }: { readonly stack: string }) {
  const mayAct = useMayAct()
  const { value: overview } = useContext(OverviewContext)
  const { value: status } = useOperation('clock', overview?.head ? {} : null)
  const [corrected, setCorrected] = useState<string | null>(null)
  if (!status?.fault || corrected === stack) return null
  const correct = (): void => {
    call(stack, 'clock', { correct: true }).then(() => setCorrected(stack), sayError)
  }
  return (
    <div class="banner bad" role="alert">
      <strong>Nothing can be saved: the clock and the last entry are far apart.</strong>
      <span>
        This computer reads {exactly(status.now)}, and the last entry is of{' '}
        {exactly(status.last ?? status.now)}. If the clock is wrong, set it.
      </span>
      {mayAct ? (
        <button type="button" class="btn" onClick={correct}>
          The clock is right
        </button>
      ) : (
        <span>
          If it is right, a person corrects the stack: <code>muniment stack clock --correct</code>
        </span>
      )}
    </div>
  )
}
