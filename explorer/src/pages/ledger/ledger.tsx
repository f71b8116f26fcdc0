import { useContext, useState } from 'preact/hooks'
import { useLive } from '../../state/live.ts'
import { OverviewContext } from '../../state/overview.ts'
import { goQuery, usePlace } from '../../state/router.ts'
import { Empty, PageHead } from '../../ui/parts.tsx'
import { EntryList } from './entry-list.tsx'
import { EntryPanel } from './entry-panel.tsx'
import { Heads } from './heads.tsx'
import { PinPanel } from './pin-panel.tsx'
import { VerifyAll } from './verify-all.tsx'

/** The record itself, as it grows, and the means to check it without trusting who shows it. */
export function Ledger() {
  const { query } = usePlace()
  const { seq } = useLive()
  const overview = useContext(OverviewContext)
  const head = Math.max(seq ?? -1, overview.value?.head?.seq ?? -1)
  const at = query.get('at')
  const [chosen, setChosen] = useState<number | null>(at === null ? null : Number(at))
  const choose = (next: number): void => {
    setChosen(next)
    goQuery({ at: next })
  }
  return (
    <>
      <PageHead title="Ledger">
        <p>Every decision, in order, each naming the one before it.</p>
      </PageHead>
      <div class="cards">
        <PinPanel />
        <VerifyAll head={head} />
      </div>
      {head < 0 ? (
        <Empty>Nothing was written to this stack yet.</Empty>
      ) : (
        <div class="cards wide-first">
          <EntryList head={head} chosen={chosen} onChoose={choose} />
          <div class="stack">
            {chosen !== null && <EntryPanel seq={chosen} />}
            <Heads />
          </div>
        </div>
      )}
    </>
  )
}
