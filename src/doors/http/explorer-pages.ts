/** What the explorer has pages for, each under `/<stack>/<page>`; the page itself holds its own to this list. */
export const EXPLORER_PAGES = [
  'overview',
  'search',
  'review',
  'lines',
  'ledger',
  'time',
  'distrust',
  'memory',
] as const

export type ExplorerPage = (typeof EXPLORER_PAGES)[number]

/** Whether a path is one of its views: of a stack, or of a page of it. */
export function isView(path: string): boolean {
  const [, stack = '', page = ''] = path.split('/')
  if (stack === 'v1' || stack === 'mcp') return false // where programs are answered
  if (page === '') return !stack.includes('.') // which is a file
  return EXPLORER_PAGES.some((name) => name === page)
}
