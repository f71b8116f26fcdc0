import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ExplorerPage } from '../../../src/doors/http/explorer-files.ts'
import { Overview } from '../pages/overview/overview.tsx'
import { usePlace } from '../state/router.ts'
import { setTitle } from '../ui/format.ts'
import { Empty, Problem } from '../ui/parts.tsx'
import { PageNotFound } from './not-found.tsx'

interface Page {
  readonly name: ExplorerPage
  readonly title: string
  readonly load: () => Promise<ComponentType>
}

/** Pages of the navigation, in its order. All but the first are loaded when they are looked at. */
export const PAGES: readonly Page[] = [
  { name: 'overview', title: 'Overview', load: async () => Overview },
  {
    name: 'browse',
    title: 'Browse',
    load: async () => (await import('../pages/browse/browse.tsx')).Browse,
  },
  {
    name: 'search',
    title: 'Search',
    load: async () => (await import('../pages/search/search.tsx')).Search,
  },
  {
    name: 'review',
    title: 'Review',
    load: async () => (await import('../pages/review/review.tsx')).Review,
  },
  {
    name: 'claims',
    title: 'Claims',
    load: async () => (await import('../pages/claims/claims.tsx')).Claims,
  },
  {
    name: 'ledger',
    title: 'Ledger',
    load: async () => (await import('../pages/ledger/ledger.tsx')).Ledger,
  },
  { name: 'time', title: 'Time', load: async () => (await import('../pages/time/time.tsx')).Time },
  {
    name: 'distrust',
    title: 'Distrust',
    load: async () => (await import('../pages/distrust/distrust.tsx')).Distrust,
  },
]

const MEMORY: Page = {
  name: 'memory',
  title: 'Memory',
  load: async () => (await import('../pages/memory/memory.tsx')).MemoryPage,
}

const loaded = new Map<string, ComponentType>([['overview', Overview]])

/** The page of the address. */
export function PageView() {
  const { page, rest, stack } = usePlace()
  const found = [...PAGES, MEMORY].find(({ name }) => name === page)
  const [, draw] = useState({})
  const [error, setError] = useState<Error | null>(null)
  useEffect(() => {
    // The page of a memory takes the words of the memory as title, once they are known.
    if (page !== 'memory') setTitle(found?.title ?? 'Page not found', stack)
    setError(null)
    if (!found || loaded.has(page)) return
    found.load().then((component) => {
      loaded.set(page, component)
      draw({})
    }, setError)
  }, [page, stack, found])
  if (error) return <Problem error={error} />
  if (!found) {
    return <PageNotFound />
  }
  const Component = loaded.get(page)
  return Component ? <Component key={page === 'memory' ? rest : page} /> : <Empty>Looking …</Empty>
}
