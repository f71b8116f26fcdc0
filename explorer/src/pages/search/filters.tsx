import { KINDS } from '../../../../src/domain/ids.ts'
import type { SearchResult } from '../../../../src/ports/component.ts'
import { goQuery } from '../../state/router.ts'
import { hitOf } from './hit.ts'

type Kind = Exclude<(typeof KINDS)[number], 'epoch'>

export interface FilterValues {
  readonly kinds: readonly Kind[]
  readonly minTier: number | null
  readonly actor: string
  readonly since: string
  readonly until: string
}

const SEARCHED = KINDS.filter((kind) => kind !== 'epoch')

export function filtersIn(query: URLSearchParams): FilterValues {
  const named = (query.get('kind') ?? '').split(',')
  const tier = query.get('tier')
  return {
    kinds: SEARCHED.filter((kind) => named.includes(kind)),
    minTier: tier === null ? null : Number(tier),
    actor: query.get('actor') ?? '',
    since: query.get('since') ?? '',
    until: query.get('until') ?? '',
  }
}

/** What the search itself is narrowed by, so that the best of what is left are found. */
export const narrowedBy = ({ kinds, minTier, actor, since, until }: FilterValues) => ({
  ...(kinds.length > 0 ? { recordTypes: [...kinds] } : {}),
  ...(minTier === null ? {} : { minTier }),
  ...(actor === '' ? {} : { saidBy: actor }),
  ...(since === '' ? {} : { since }),
  ...(until === '' ? {} : { until }),
})

export const actorsIn = (results: readonly SearchResult[]): readonly string[] =>
  [...new Set(results.map((result) => hitOf(result).actor))].filter((actor) => actor !== '').sort()

export function Filters({
  filters,
  actors,
}: {
  readonly filters: FilterValues
  readonly actors: readonly string[]
}) {
  const toggled = (kind: Kind): string =>
    SEARCHED.filter((each) => (each === kind) !== filters.kinds.includes(each)).join(',')
  return (
    <fieldset class="filters" aria-label="Filters">
      <div class="chips">
        {SEARCHED.map((kind) => (
          <button
            key={kind}
            type="button"
            class="chip"
            aria-pressed={filters.kinds.includes(kind)}
            onClick={() => goQuery({ kind: toggled(kind) })}
          >
            {kind.replaceAll('_', ' ')}
          </button>
        ))}
      </div>
      <div class="row">
        <NarrowingFields filters={filters} actors={actors} usualTier={1} />
      </div>
    </fieldset>
  )
}

const TIERS = ['any', '1 or higher'] as const

/** Fields for tier, actor and time, as the page of search and the table of memories share them. */
export function NarrowingFields({
  filters,
  actors,
  usualTier,
}: {
  readonly filters: FilterValues
  /** Names to choose from. */
  readonly actors: readonly string[]
  /** The lowest tier shown, unless a tier is chosen. */
  readonly usualTier: 0 | 1
}) {
  const offered = [...new Set([...actors, filters.actor])].filter((actor) => actor !== '')
  return (
    <>
      <label class="field">
        <span>Trust tier</span>
        <select
          value={filters.minTier ?? ''}
          onChange={(event) => goQuery({ tier: event.currentTarget.value })}
        >
          <option value="">{TIERS[usualTier]}</option>
          <option value={1 - usualTier}>{TIERS[1 - usualTier]}</option>
          <option value="2">2 or higher</option>
          <option value="3">3</option>
        </select>
      </label>
      <label class="field">
        <span>Actor</span>
        <select
          value={filters.actor}
          onChange={(event) => goQuery({ actor: event.currentTarget.value })}
        >
          <option value="">anyone</option>
          {offered.map((actor) => (
            <option key={actor} value={actor}>
              {actor}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Since</span>
        <input
          type="date"
          value={filters.since}
          onChange={(event) => goQuery({ since: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>Until</span>
        <input
          type="date"
          value={filters.until}
          onChange={(event) => goQuery({ until: event.currentTarget.value })}
        />
      </label>
    </>
  )
}
