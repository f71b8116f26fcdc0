/**
 * Pages of the explorer, each under `/<stack>/<page>`; the explorer's own routes must match this
 * list.
 */
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

export function isView(path: string): boolean {
  const [, stack = '', page = ''] = path.split('/')
  if (stack === 'v1' || stack === 'mcp') return false // paths of programs
  if (page === '') return !stack.includes('.') // a dot marks a file
  return EXPLORER_PAGES.some((name) => name === page)
}
