import path from 'node:path'
import { expect } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { openStack, type Stack } from '../../src/index.ts'
import { muniment } from '../cli/support/program.ts'
import { scratch } from '../cli/support/scratch.ts'
import { cell, vandaliseNeatly } from '../sqlite/support/raw.ts'
import { at, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { PREFERENCE, TEMPLATES } from './preference.ts'

const model = at('mcp', { session: 'talk-1' })
const ann = { caller: at('cli', { person: true }), actor: 'ann' } as const
const LINE = { subject: 'user', predicate: 'theme' }

/** As rows were before they said what was recognised: a claim alone knew that it has no say. */
const OLDER = `
  UPDATE memories SET marks = json_remove(marks, '$.echo') WHERE marks LIKE '%"echo"%';
  UPDATE memories SET marks = json_object('claim', json(json_extract(marks, '$.claim')))
    WHERE json_extract(marks, '$.claim') IS NOT NULL AND json_array_length(marks, '$.evidence') = 0
      AND json_array_length(marks, '$.flags') = 0 AND json_array_length(marks, '$.moves') = 0;
  UPDATE memories SET review = NULL WHERE review = 'echo';`

/** A note that was served, a rewording that was folded into it, a claim and a note that only repeat it. */
async function echoed(stack: Stack) {
  const write = (content: string, label: 'UserAsserted' | 'ModelDerived', derivedFrom: Ref[]) => {
    const note = { kind: 'note', body: { content }, provenance: saying(label, { derivedFrom }) }
    return stack.write(
      note as Parameters<Stack['write']>[0],
      label === 'UserAsserted' ? at('lib') : model,
    )
  }
  const raw = await stack.write(
    { kind: 'raw', body: { content: 'Captured' }, provenance: saying('ExternalFirstHand') },
    at('lib'),
  )
  const cited = [raw.ref as Ref]
  const told = await write(PREFERENCE, 'UserAsserted', cited)
  await stack.trace(String(told.ref), { caller: model })
  const folded = await write(String(TEMPLATES[0]), 'ModelDerived', cited)
  const claim = await stack.remember('user', 'theme', 'dark mode and a quiet theme', {
    caller: model,
    actor: 'bot',
    label: { type: 'ModelDerived' },
  })
  expect([folded.reasons, claim.reasons]).toEqual([['echo_reworded'], ['echo_phrasing']])
  return { folded, claim: String(claim.claimRef), told: String(told.ref) }
}

holds(
  ['FIREWALL-ECHO', 'FIREWALL-OVERRULE'],
  'rows of before anything was said of echoes in them believe none; doctor names the remedy, and it mends them',
  async () => {
    const home = scratch()
    const file = path.join(home, 'stacks', 'default.db')
    const first = await openStack('default', { home })
    const { folded, claim, told } = await echoed(first)
    await first.close()
    expect(cell(file, `SELECT count(*) FROM memories WHERE marks LIKE '%"echo"%'`)).toBe(2)
    vandaliseNeatly(file, OLDER)
    expect(cell(file, `SELECT count(*) FROM memories WHERE marks LIKE '%"echo"%'`)).toBe(0)

    const old = await openStack('default', { home })
    expect(await old.ask(LINE)).toMatchObject({ standing: 'unknown', evidence: 0 })
    expect(await old.ask({ ...LINE, for: 'act' })).toMatchObject({ standing: 'unknown' })
    expect((await old.getMemory('note', told.slice('note:'.length)))?.verificationCount).toBe(0)
    // By its name or by the entry, of a link or of what was folded away: nobody is told that it is done.
    for (const what of [claim, told, folded.entry.seq]) {
      await expect(old.overrule(what, ann), String(what)).rejects.toMatchObject({
        code: 'store_corrupt',
        hint: expect.stringContaining('muniment rebuild'),
      })
    }
    const { problems } = await old.audit()
    expect(problems.map(({ code, ref }) => [code, ref])).toEqual([
      ['row.mismatch', told],
      ['row.mismatch', claim],
    ])
    await old.close()

    const said = muniment(['doctor'], { home })
    expect([said.code, said.out]).toEqual([4, expect.stringContaining('muniment rebuild')])
    expect(muniment(['audit'], { home }).out).toContain('The ledger itself is whole.')
    expect(muniment(['rebuild'], { home }).code).toBe(0)
    expect(muniment(['doctor'], { home }).code).toBe(0)

    const mended = await openStack('default', { home })
    expect(await mended.ask(LINE)).toMatchObject({ standing: 'unknown' })
    expect((await mended.getReview()).map(({ kind, ref }) => [kind, ref]).sort()).toEqual([
      ['echo', claim],
      ['echo', told],
    ])
    expect(await mended.overrule(folded.entry.seq, ann)).toMatchObject({
      disposition: 'CommittedInferred',
    })
    expect(await mended.overrule(claim, ann)).toMatchObject({ ref: claim })
    expect(await mended.ask(LINE)).toMatchObject({ standing: 'held' })
    expect(await mended.overrule(claim, ann)).toMatchObject({ entry: null }) // once is enough
    expect((await mended.audit()).problems).toEqual([])
    await mended.close()
  },
)
