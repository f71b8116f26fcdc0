import { useMemo } from 'preact/hooks'
import type { WhyNot } from '../../../../src/engine/search/explained.ts'
import type { SearchResult } from '../../../../src/ports/component.ts'
import { useOperation } from '../../state/query.ts'
import { usePlace } from '../../state/router.ts'
import { useAsOf } from '../../state/stack.ts'
import { useTyped } from '../../state/typed.ts'
import { count } from '../../ui/format.ts'
import { Empty, PageHead, Shown } from '../../ui/parts.tsx'
import { actorsIn, Filters, filtersIn, narrowedBy } from './filters.tsx'
import { hitOf } from './hit.ts'
import { Hit } from './hit.tsx'
import { WhyNotPanel } from './why-not.tsx'

const LIMIT = 60

/** Memories that match the typed words, each with the signals of its rank. */
export function Search() {
  const { query } = usePlace()
  const [text, setText] = useTyped('q')
  const past = useAsOf()
  const filters = filtersIn(query)
  const asked = text.trim()
  const found = useOperation(
    'search',
    asked === ''
      ? null
      : {
          query: asked,
          limit: LIMIT,
          explain: true,
          ...past,
          ...narrowedBy(filters),
        },
    { isPaced: true },
  )
  return (
    <>
      <PageHead title="Search" />
      <search class="search-box">
        <label class="sr" for="q">
          What to look for
        </label>
        <input
          id="q"
          type="search"
          autofocus
          placeholder="Words, a question, a name …"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </search>
      <Filters filters={filters} actors={actorsIn(resultsIn(found.value))} />
      {asked === '' ? (
        <Empty>Type to search all memories.</Empty>
      ) : (
        <Shown asked={found}>
          {(value) => <Results all={resultsIn(value)} isLoading={found.isLoading} query={asked} />}
        </Shown>
      )}
    </>
  )
}

/** One operation answers both; only the panel below asks `whyNot`. */
export const resultsIn = (
  value: readonly SearchResult[] | WhyNot | null,
): readonly SearchResult[] => (value === null || 'reasons' in value ? [] : value)

function Results({
  all,
  isLoading,
  query,
}: {
  readonly all: readonly SearchResult[]
  readonly isLoading: boolean
  readonly query: string
}) {
  const { query: address } = usePlace()
  const filters = filtersIn(address)
  const hits = useMemo(() => all.map(hitOf), [all])
  const most = Math.max(1e-9, ...hits.map(({ strongest }) => strongest))
  return (
    <>
      <p class="soft small" role="status">
        {count(hits.length)} found
        {hits.length === LIMIT ? ', the best of more' : ''}
        {isLoading ? ' …' : ''}
      </p>
      {hits.length === 0 && !isLoading && <Empty>No memory matches.</Empty>}
      <ol class="hits">
        {hits.map((hit) => (
          <li key={hit.ref} class="card">
            <Hit hit={hit} most={most} />
          </li>
        ))}
      </ol>
      <WhyNotPanel query={query} filters={filters} />
    </>
  )
}
