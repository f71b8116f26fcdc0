import { createContext } from 'preact'
import type { Overview } from '../../../src/engine/read/overview.ts'
import type { Asked } from './query.ts'

/** How the stack stands, asked for once for every page. */
export const OverviewContext = createContext<Asked<Overview>>({
  value: null,
  error: null,
  isLoading: true,
})
