import { beforeAll, describe, expect, test } from 'vitest'
import { historyOfChanges } from './changes.ts'
import { type History, longHistory } from './history.ts'
import { isChange } from './lies-about-changes.ts'
import { isObject } from './naive-canonical.ts'
import { rootOf } from './naive-hash.ts'
import {
  auditOutcome,
  type Copy,
  copyOf,
  type Members,
  membersOf,
  naiveProblems,
  type Rows,
  rechain,
} from './vandal.ts'

let history: History
let rows: Rows
let changes: History

beforeAll(async () => {
  changes = await historyOfChanges()
  history = await longHistory()
  rows = history.store.rows(history.stack.stackId)
})

describe('a history with something of everything', () => {
  test('has every operation, and both verifiers find it whole', async () => {
    const { entries } = changes.store.rows(changes.stack.stackId)
    const ops = new Set([...rows.entries, ...entries].map((row) => membersOf(row).op))
    expect([...ops].sort()).toEqual(OPERATIONS)
    for (const each of [history, changes]) {
      expect(naiveProblems(copyOf(each))).toEqual([])
      expect(await auditOutcome(copyOf(each))).toBe('ok')
    }
  })

  test('has the root that the slow recursion gives', async () => {
    const { head, entries } = await history.stack.ledger.audit()
    const leaves = rows.entries.map(({ hash }) => hash)
    expect(head).toEqual({ ...rootless(rows), root: rootOf(leaves) })
    expect(entries).toBe(leaves.length)
  })

  test('is whole up to any entry under the head of that moment, and under no later one', () => {
    for (const each of [history, changes]) {
      const cut = copyOf(each)
      while (cut.rows.entries.length > 2) {
        const before = erasuresIn(cut)
        takeLast(cut)
        expect(naiveProblems(cut)).not.toEqual([])
        rechain(cut.rows, cut.rows.entries.length)
        // A head from before an erasure speaks of content that is gone: that is no whole ledger.
        if (erasuresIn(cut) < before) break
        expect(naiveProblems(cut)).toEqual([])
      }
    }
  })
})

const erasuresIn = ({ rows: { entries } }: Copy): number =>
  entries.filter((row) => membersOf(row).op === 'memory.erased').length

/** What is of one unit, or follows, is written at once, so no head was ever in between. */
function takeLast(copy: Copy): void {
  const { rows } = copy
  const last = rows.entries.pop()
  rows.sealed.delete(last?.seq ?? -1)
  if (last && follows(membersOf(last))) takeLast(copy)
}

const follows = (members: Members): boolean =>
  members.unit !== members.seq ||
  (isChange(members) && isObject(members.decision) && members.decision.rule === null)

const rootless = ({ tip }: Rows) => ({ seq: tip.head.seq, hash: tip.head.hash })

const OPERATIONS = [
  'actor.erased',
  'belief.deactivated',
  'belief.revised',
  'claim.adjudicated',
  'claim.ended',
  'claim.lapsed',
  'claim.recast',
  'claim.reopened',
  'claim.retracted',
  'claim.superseded',
  'echo.overruled',
  'enforcement.off',
  'enforcement.on',
  'genesis',
  'memory.accessed',
  'memory.annotated',
  'memory.attested',
  'memory.cleared',
  'memory.collapsed',
  'memory.described',
  'memory.distrusted',
  'memory.erased',
  'memory.flagged',
  'memory.forgotten',
  'memory.processed',
  'memory.proposed',
  'memory.protected',
  'memory.recovered',
  'memory.refused',
  'memory.reinforced',
  'memory.revised',
  'memory.saved',
  'memory.strengthened',
  'memory.trusted',
  'memory.unprotected',
  'memory.verified',
  'memory.weakened',
  'origin.distrusted',
  'origin.trusted',
  'policy',
  'quarantine.rejected',
  'quarantine.released',
  'replica.started',
  'state',
  'suggestion.resolved',
  'tally',
  'tombstone.kept',
  'tombstone.lifted',
]
