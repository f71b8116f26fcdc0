import { expect, test } from 'vitest'
import { type AuditMark, type AuditReport, sinceIn } from '../../src/engine/audit/codes.ts'
import { holds } from '../support/holds.ts'
import { freshEntity } from './support.ts'

/** A stack of its own, and a hand that turns a byte of an entry. */
async function ledgerOf(count: number) {
  const { me, stack, store } = await freshEntity()
  for (let at = 0; at < count; at += 1) await me.raw(`this is number ${at}`)
  const { entries } = store.rows(stack.stackId)
  const turn = (seq: number): void => {
    const row = entries[seq]
    if (!row) throw new Error(`there is an entry ${seq}`)
    const bytes = Uint8Array.from(row.bytes)
    bytes[bytes.length - 2] = '2'.charCodeAt(0)
    entries[seq] = { ...row, bytes }
  }
  return { me, stack, entries, turn }
}

test('an audit tells how far it has got', async () => {
  const { me, stack } = await freshEntity()
  for (let count = 0; count < 300; count += 1) await me.raw(`this is number ${count}`)
  const { head } = await stack.ledger.audit()
  for (const only of [undefined, 'chain'] as const) {
    const told: number[] = []
    await stack.ledger.audit({
      ...(only ? { only } : {}),
      onProgress: ({ done, total }) => {
        expect(total).toBe(head.seq + 1)
        told.push(done)
      },
    })
    expect(told.at(-1)).toBe(head.seq + 1)
  }
})

test('a chain that was looked at up to an entry is taken up there', async () => {
  const { stack, turn } = await ledgerOf(20)
  const { head } = await stack.ledger.audit()
  const part: AuditReport = await stack.ledger.audit({ since: 10 })
  expect(part).toMatchObject({ ok: true, head, entries: head.seq - 9 })
  expect(await stack.ledger.audit({ since: head.seq + 1 })).toMatchObject({ ok: true, entries: 0 })
  turn(12)
  expect((await stack.ledger.audit({ since: 10 })).problems[0]).toMatchObject({ seq: 12 })
  expect(await stack.ledger.audit({ since: 14 })).toMatchObject({ ok: true })
})

holds('LEDGER-DETECT', 'the entry that an audit goes on from is hashed again', async () => {
  const { stack, turn } = await ledgerOf(20)
  turn(12)
  const { problems } = await stack.ledger.audit({ since: 13 })
  expect(problems[0]).toMatchObject({ code: 'entry.hash', seq: 12 })
})

test('a range ends where it is told, and what lies behind is not looked at', async () => {
  const { stack, turn } = await ledgerOf(20)
  const { head } = await stack.ledger.audit()
  expect(await stack.ledger.audit({ since: 5, to: 9 })).toMatchObject({
    ok: true,
    head,
    entries: 5,
  })
  expect(await stack.ledger.audit({ to: 9 })).toMatchObject({ ok: true, entries: 10 })
  expect(await stack.ledger.audit({ since: 9, to: 5 })).toMatchObject({ ok: true, entries: 0 })
  expect(await stack.ledger.audit({ to: 10_000 })).toMatchObject({
    ok: true,
    entries: head.seq + 1,
  })
  turn(12)
  expect(await stack.ledger.audit({ to: 11 })).toMatchObject({ ok: true })
  const { problems, mark } = await stack.ledger.audit({ since: 5, to: 12 })
  expect(problems[0]).toMatchObject({ code: 'entry.hash', seq: 12 })
  expect(mark).toBeNull()
  await expect(stack.ledger.audit({ since: -1 })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(stack.ledger.audit({ to: 1.5 })).rejects.toMatchObject({ code: 'invalid_input' })
})

holds(
  'LEDGER-DETECT',
  'in parts, each from the mark before, an audit comes to the same',
  async () => {
    const { stack } = await ledgerOf(20)
    const { head, mark: whole } = await stack.ledger.audit()
    let since: AuditMark | null = null
    let seen = 0
    for (let to = 6; ; to += 7) {
      const part: AuditReport = await stack.ledger.audit({
        ...(since === null ? {} : { since }),
        to,
      })
      expect(part).toMatchObject({ ok: true, head })
      seen += part.entries
      if (part.mark === null) throw new Error('a sound part has a mark')
      since = part.mark
      if (to >= head.seq) break
    }
    expect(seen).toBe(head.seq + 1)
    expect(since).toEqual(whole)
  },
)

holds('LEDGER-DETECT', 'an audit that was called off goes on where it had come to', async () => {
  const { stack, me } = await ledgerOf(600)
  const marks: (AuditMark | null)[] = []
  const calledOff = new Error('called off')
  const stopped = stack.ledger.audit({
    only: 'chain',
    onProgress: ({ mark }) => {
      marks.push(mark)
      if (marks.length === 2) throw calledOff
    },
  })
  await expect(stopped).rejects.toBe(calledOff)
  const mark = marks.at(-1)
  if (!mark) throw new Error('it had come somewhere')
  await me.raw('something new')
  const { head } = await stack.ledger.audit()
  const rest = await stack.ledger.audit({ since: mark })
  expect(rest).toMatchObject({ ok: true, head, entries: head.seq + 1 - mark.size })
})

holds('LEDGER-DETECT', 'what was rewritten or cut off before a mark is found from it', async () => {
  const { stack, entries } = await ledgerOf(20)
  const { mark } = await stack.ledger.audit({ to: 14 })
  if (mark === null) throw new Error('it was sound')
  expect(await stack.ledger.audit({ since: mark })).toMatchObject({ ok: true })
  const [third, fourth] = [entries[3], entries[4]]
  if (!third || !fourth) throw new Error('there are as many')
  entries[3] = { ...third, hash: fourth.hash }
  const { problems } = await stack.ledger.audit({ since: mark, to: 16 })
  expect(problems[0]).toMatchObject({ code: 'head.rewritten', seq: 14 })
  entries[3] = third
  const longer = { ...mark, size: 1_000 }
  expect((await stack.ledger.audit({ since: longer })).problems[0]).toMatchObject({
    code: 'head.rollback',
  })
})

holds('LEDGER-DETECT', 'entries that were looked at and are not there are a rollback', async () => {
  const { stack } = await ledgerOf(20)
  const { head } = await stack.ledger.audit()
  const { ok, problems, mark } = await stack.ledger.audit({ since: head.seq + 2 })
  expect({ ok, mark }).toEqual({ ok: false, mark: null })
  expect(problems).toMatchObject([{ code: 'head.rollback', seq: head.seq }])
})

test('a head of another log is told from one that was rewritten', async () => {
  const { stack } = await ledgerOf(20)
  const other = await (await ledgerOf(20)).stack.ledger.checkpoint()
  const own = await stack.ledger.checkpoint()
  const since = ({ note }: typeof own) => {
    const start = sinceIn(note)
    if (start === null) throw new Error('it is a head')
    return start
  }
  expect(await stack.ledger.audit({ since: since(own) })).toMatchObject({ ok: true, entries: 0 })
  const foreign = other.origin === own.origin ? { ...other, origin: 'muniment/x/y' } : other
  const note = foreign.note.replace(/^.*\n/, `${foreign.origin}\n`)
  const { problems } = await stack.ledger.audit({ since: since({ ...foreign, note }) })
  expect(problems).toMatchObject([{ code: 'head.foreign' }])
})
