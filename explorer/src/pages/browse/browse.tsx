import { useContext, useEffect, useMemo } from 'preact/hooks'
import { KINDS } from '../../../../src/domain/ids.ts'
import { useActors } from '../../state/actors.ts'
import { OverviewContext } from '../../state/overview.ts'
import { useOperation } from '../../state/query.ts'
import { goQuery, usePlace } from '../../state/router.ts'
import { useStack } from '../../state/stack.ts'
import { useTyped } from '../../state/typed.ts'
import { count, plural, spoken } from '../../ui/format.ts'
import { Empty, PageHead, Problem, Shown } from '../../ui/parts.tsx'
import { type FilterValues, filtersIn, NarrowingFields, narrowedBy } from '../search/filters.tsx'
import { resultsIn } from '../search/search.tsx'
import { useMemoryPages } from './memory-pages.ts'
import { MemoryTable } from './memory-table.tsx'
import { COLUMNS, NEWEST, type Row, rowOfMemory, rowOfResult, type Sorting, sorted } from './row.ts'

const SORTED_MAX = 2_000 // memories fetched to sort by a column other than time
const FOUND_MAX = 500 // memories of a filter by words

/** All memories in a table. */
export function Browse() {
  const { query } = usePlace()
  const [words, setWords] = useTyped('q')
  const { value: overview } = useContext(OverviewContext)
  const filters = filtersIn(query)
  const actors = useActors().map(({ name }) => name)
  const asked = words.trim()
  return (
    <>
      <PageHead title="Browse">
        {overview && <p>{plural(overview.total, 'memory', 'memories')} in all.</p>}
      </PageHead>
      <fieldset class="row filters-row" aria-label="Filters">
        <label class="field grow">
          <span>Words</span>
          <input
            type="search"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>Kind</span>
          <select
            value={filters.kinds[0] ?? ''}
            onChange={(event) => goQuery({ kind: event.currentTarget.value })}
          >
            <option value="">any</option>
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {spoken(kind)}
              </option>
            ))}
          </select>
        </label>
        <NarrowingFields filters={filters} actors={actors} usualTier={0} />
      </fieldset>
      {asked === '' ? (
        <Listed filters={filters} sorting={sortingIn(query)} />
      ) : (
        <FoundByWords words={asked} filters={filters} sorting={sortingIn(query)} />
      )}
    </>
  )
}

function sortingIn(query: URLSearchParams): Sorting {
  const column = COLUMNS.find(({ name }) => name === query.get('sort'))
  return column ? { by: column.name, isRising: query.get('order') === 'rising' } : NEWEST
}

interface TableProps {
  readonly filters: FilterValues
  readonly sorting: Sorting
}

/** Pages of the list; for another order than the newest first, a bounded number is sorted here. */
function Listed({ filters, sorting }: TableProps) {
  const { kinds, minTier, actor, since, until } = filters
  const [kind] = kinds
  const { memories, hasMore, isLoading, error, more } = useMemoryPages(useStack(), {
    all: true,
    ...(kind === undefined ? {} : { kind }),
    ...narrowedBy({ kinds: [], minTier, actor, since, until }),
  })
  const isNewestFirst = sorting.by === 'created' && !sorting.isRising
  const isCut = !isNewestFirst && memories.length >= SORTED_MAX
  useEffect(() => {
    if (!isNewestFirst && !isCut) more()
  }, [isNewestFirst, isCut, more])
  const rows = useMemo(() => {
    const all = memories.map(rowOfMemory)
    return isNewestFirst ? all : sorted(all, sorting)
  }, [memories, isNewestFirst, sorting.by, sorting.isRising])
  if (error) return <Problem error={error} />
  const mayGrow = hasMore && isNewestFirst
  return (
    <Table
      rows={rows}
      sorting={sorting}
      hasMore={hasMore}
      isLoading={isLoading}
      onEnd={mayGrow ? more : ignore}
      note={
        isCut && hasMore
          ? `The newest ${count(rows.length)} are sorted. Narrow the filters to sort all that fit.`
          : mayGrow
            ? `${count(rows.length)} shown; more follow as you scroll.`
            : `${plural(rows.length, 'memory', 'memories')}.`
      }
    />
  )
}

/** Memories that the search finds for the words, best first or sorted. */
function FoundByWords({ words, filters, sorting }: TableProps & { readonly words: string }) {
  const { query } = usePlace()
  const found = useOperation(
    'search',
    { query: words, limit: FOUND_MAX, minTier: 0, ...narrowedBy(filters) },
    { isPaced: true },
  )
  const rows = useMemo(() => resultsIn(found.value).map(rowOfResult), [found.value])
  const shown = useMemo(
    () => (query.has('sort') ? sorted(rows, sorting) : rows),
    [rows, query, sorting.by, sorting.isRising],
  )
  return (
    <Shown asked={found}>
      {() => (
        <Table
          rows={shown}
          sorting={sorting}
          hasMore={false}
          isLoading={found.isLoading}
          onEnd={ignore}
          note={`${count(rows.length)} found${rows.length === FOUND_MAX ? ', the best of more' : ''}.`}
        />
      )}
    </Shown>
  )
}

const ignore = (): void => undefined

interface RowsProps {
  readonly rows: readonly Row[]
  readonly sorting: Sorting
  readonly hasMore: boolean
  readonly isLoading: boolean
  readonly onEnd: () => void
  readonly note: string
}

function Table({ note, isLoading, ...table }: RowsProps) {
  return (
    <>
      <p class="soft small row spread" role="status">
        <span>
          {note}
          {isLoading ? ' …' : ''}
        </span>
        <span class="keys">
          <kbd>j</kbd> <kbd>k</kbd> or arrows move, <kbd>Enter</kbd> opens
        </span>
      </p>
      {table.rows.length === 0 && !isLoading ? (
        <Empty>No memory fits these filters.</Empty>
      ) : (
        <MemoryTable {...table} />
      )}
    </>
  )
}
