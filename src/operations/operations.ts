import { ask, timeline, timelines } from './ask.ts'
import { assess } from './assess.ts'
import { audit } from './audit.ts'
import {
  access,
  describe,
  forget,
  protect,
  recover,
  reinforce,
  unlink,
  updateGoal,
  usePlaybook,
  verify,
  weaken,
} from './changes.ts'
import { adjudicate, end, recast, reopen, retract } from './claim-changes.ts'
import { components, health } from './components.ts'
import { diff } from './diff.ts'
import { distrust } from './distrust.ts'
import { contradictions, uncertain, ungrounded } from './doubts.ts'
import { begin, conclude } from './epochs.ts'
import { certificate, erase, readmit } from './erase.ts'
import { entries, policy, prov, receipts, replay } from './ledger.ts'
import { list, withheld } from './list.ts'
import { load, render } from './load.ts'
import { clock, maintain, state } from './maintain.ts'
import { processCaptures, promote } from './process.ts'
import { checkpoint, consistency, heads, prove } from './proofs.ts'
import { review } from './review.ts'
import { recall, search } from './search.ts'
import { overview, show, stats } from './show.ts'
import { supersede } from './supersede.ts'
import { dump, importDump } from './transfer.ts'
import { why } from './why.ts'
import { writes } from './write.ts'

/** Every operation, in the order in which doors list them. Each is declared in a single file. */
export const OPERATIONS = {
  ...writes,
  search,
  recall,
  render,
  load,
  list,
  withheld,
  show,
  why,
  stats,
  overview,
  audit,
  dump,
  diff,
  uncertain,
  contradictions,
  ungrounded,
  checkpoint,
  prove,
  entries,
  heads,
  consistency,
  prov,
  policy,
  replay,
  receipts,
  ask,
  timelines,
  timeline,
  end,
  retract,
  reopen,
  recast,
  adjudicate,
  forget,
  recover,
  protect,
  weaken,
  unlink,
  access,
  describe,
  update_goal: updateGoal,
  verify,
  reinforce,
  supersede,
  review,
  assess,
  promote,
  maintain,
  import: importDump,
  erase,
  certificate,
  readmit,
  distrust,
  clock,
  state,
  process: processCaptures,
  health,
  components,
  begin,
  conclude,
  use: usePlaybook,
} as const

export type OperationName = keyof typeof OPERATIONS

export type ResultOf<N extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[N]['run']>>
