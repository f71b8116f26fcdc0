/** One stroke each; the words beside them say what they mean. */
const PATHS: Readonly<Record<string, string>> = {
  overview: 'M3 13h6V3H3zM11 17h6V9h-6zM3 17h6v-2H3zM11 7h6V3h-6z',
  browse: 'M3 4h14v12H3zM3 8h14M3 12h14M8 4v12',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5 17 17',
  review: 'M4 4h12v9h-6l-4 3v-3H4zM7 8.5l2 2 4-4',
  ledger: 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h2',
  claims: 'M3 6h9M7 10h10M5 14h7',
  time: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4l3 2',
  distrust: 'M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5zM7.5 8l5 5M12.5 8l-5 5',
}

export const Icon = ({ name }: { readonly name: string }) => (
  <svg
    width="18"
    height="18"
    viewBox="0 0 20 20"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    <path d={PATHS[name] ?? ''} />
  </svg>
)
