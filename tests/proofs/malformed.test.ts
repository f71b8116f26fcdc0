import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import {
  LedgerWalk,
  openCheckpoint,
  VERIFY_CODES,
  type Verdict,
  verifyBundle,
  verifyErasure,
  verifyHeads,
  verifyReceipt,
} from '../../src/ledger/verify/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { linesOf, resigned, restored } from '../stack/bundles.ts'
import { holds } from '../support/holds.ts'

/** A stack with something erased and something that stays, and every paper it gives out. */
async function papers() {
  const stack = await openStack('papers', { store: new MemoryStore() })
  const me = new Entity('keeper')
  await me.attachStack(stack)
  const kept = await me.note('the words that stay')
  const gone = await me.note('the words that go')
  const half = await stack.ledger.checkpoint()
  const halfway = await linesOf(stack.transfer.bundle())
  const { certificate } = await stack.erasure.erase(gone.ref)
  for (const word of ['one', 'two', 'three']) await me.note(`what came after, ${word}`)
  const receipt = await stack.ledger.prove(kept.ref)
  const erased = await stack.ledger.prove(gone.ref)
  const head = await stack.ledger.checkpoint()
  const bundle = await linesOf(stack.transfer.bundle())
  const { entries } = await stack.ledger.entries({ limit: 1_000 })
  return { stack, me, half, halfway, certificate, receipt, erased, head, bundle, entries }
}

/** A head of the same log by somebody who went another way behind its first half. */
async function forked() {
  const store = new MemoryStore()
  await restored(store, given.halfway)
  const stack = await openStack('papers', { store })
  const me = new Entity('keeper')
  await me.attachStack(stack)
  await me.note('another way')
  const { note, key, size } = await stack.ledger.checkpoint()
  expect(size).toBeLessThan(given.head.size)
  return { keys: [key], checkpoint: note }
}

const given = await papers()
const { stack, me, receipt, erased, certificate, head, half, bundle, entries } = given
const keys = [head.key]

/** An enumerated answer, and no other: whatever is handed in, nothing is thrown. */
function expectCoded({ ok, codes }: Verdict): void {
  expect(typeof ok).toBe('boolean')
  for (const code of codes) expect(VERIFY_CODES).toContain(code)
  if (!ok) expect(codes.length).toBeGreaterThan(0)
}

/** Anything that JSON can say, often with the members that a paper has. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      format: fc.constantFrom('muniment/receipt/1', 'muniment/erasure/1', 'x'),
      entry: fc.oneof(fc.string({ unit: 'binary' }), fc.constant(receipt.entry), fc.jsonValue()),
      sealed: fc.oneof(fc.constant(receipt.sealed), fc.jsonValue()),
      erasedBy: fc.oneof(fc.constant(erased.erasedBy), fc.jsonValue()),
      proof: fc.oneof(fc.array(fc.string()), fc.constant(receipt.proof), fc.jsonValue()),
      checkpoint: fc.oneof(fc.string(), fc.constant(head.note), fc.jsonValue()),
      statement: fc.oneof(fc.string(), fc.constant(certificate?.statement), fc.jsonValue()),
      entries: fc.oneof(fc.constant(certificate?.entries), fc.jsonValue()),
    },
    { requiredKeys: [] },
  ),
)

/** Every place in a value, and what stands there exchanged for something else. */
function* changedIn(value: unknown, by: readonly unknown[]): Generator<unknown> {
  for (const each of by) if (JSON.stringify(each) !== JSON.stringify(value)) yield each
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    const rest = Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
    if (!Array.isArray(value)) yield rest
    for (const changed of changedIn(member, by)) {
      yield Array.isArray(value)
        ? value.map((each, at) => (String(at) === name ? changed : each))
        : { ...value, [name]: changed }
    }
  }
}

const ODD = [null, 0, -1, 1.5, '', 'x', '\ud800', [], {}, [[]], '0'.repeat(64), true]
const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown

describe('what is no paper gets a code and never throws', () => {
  test('whatever JSON can say', () => {
    fc.assert(
      fc.property(anything, (value) => {
        expectCoded(verifyReceipt(value, { keys }))
        expectCoded(verifyErasure(value, { keys }))
      }),
      { numRuns: 1_000 },
    )
    for (const odd of [undefined, Symbol('x'), () => 0, 1n, deep, { ...receipt, sealed: deep }]) {
      expectCoded(verifyReceipt(odd, { keys }))
      expectCoded(verifyErasure(odd, { keys }))
    }
  })

  test('every member of a receipt and of a certificate exchanged or left out', () => {
    // Words that are not shown are withheld, which is said and is no failure.
    const isWithheld = (codes: readonly string[]) => codes.join() === 'content.withheld'
    for (const paper of [receipt, erased]) {
      for (const changed of changedIn(paper, ODD)) {
        const verdict = verifyReceipt(changed, { keys })
        expectCoded(verdict)
        expect(verdict.ok, JSON.stringify(changed)).toBe(isWithheld(verdict.codes))
      }
    }
    for (const changed of changedIn(certificate, ODD)) {
      const verdict = verifyErasure(changed, { keys })
      expectCoded(verdict)
      expect(verdict.ok, JSON.stringify(changed)).toBe(false)
    }
  })

  test('heads, keys and proofs of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(head.note.length), (text, at) => {
        const spoilt = head.note.slice(0, at) + text + head.note.slice(at + 1)
        for (const note of [text, spoilt]) {
          const opened = openCheckpoint(note, keys)
          if (note === head.note) return
          expect(VERIFY_CODES).toContain(opened)
        }
        expect(VERIFY_CODES).toContain(openCheckpoint(head.note, [text]))
        expectCoded(verifyHeads(half, head, [text]))
      }),
      { numRuns: 500 },
    )
    for (const odd of ODD) {
      expect(openCheckpoint(odd as never, keys)).toBe('note.malformed')
      expectCoded(verifyHeads(half, head, odd as never))
    }
  })

  test('pages of a ledger', () => {
    for (const odd of [undefined, ...ODD]) {
      const walk = new LedgerWalk()
      expect(walk.take([odd as never])).toMatchObject({ seq: 0, code: 'entry.unreadable' })
      expect(walk.take([{ ...entries[0], entry: odd } as never])).toMatchObject({ seq: 0 })
      expect(walk.take(entries)).toBeNull()
    }
  })
})

/** The same paper with one more member in one of its parts. */
function* withMore(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { ...value, tier: 3 }
  for (const [name, member] of Object.entries(value)) {
    for (const more of withMore(member)) {
      yield Array.isArray(value) ? value.with(Number(name), more) : { ...value, [name]: more }
    }
  }
}

describe('a paper with a member that nothing proves', () => {
  holds('LEDGER-OFFLINE', 'is none', () => {
    for (const paper of [receipt, erased]) {
      const papers = [...withMore(paper)]
      expect(papers).toHaveLength(2)
      for (const more of papers) {
        expect(verifyReceipt(more, { keys }).codes).toEqual(['receipt.malformed'])
      }
    }
    for (const more of withMore(certificate)) {
      expect(verifyErasure(more, { keys }).codes).toEqual(['certificate.malformed'])
    }
  })
})

describe('a receipt', () => {
  holds('LEDGER-OFFLINE', 'does not hold when the salt ends elsewhere', () => {
    const { sealed } = receipt
    if (!sealed) throw new Error('the words are shown')
    const first = Buffer.from(sealed.text.slice(0, 1)).toString('hex')
    const moved = { salt: sealed.salt + first, text: sealed.text.slice(1) }
    expect(verifyReceipt({ ...receipt, sealed: moved }, { keys })).toMatchObject({ ok: false })
    const whole = { salt: '', text: '' }
    expect(verifyReceipt({ ...receipt, sealed: whole }, { keys })).toMatchObject({ ok: false })
  })

  holds('LEDGER-OFFLINE', 'proves that its words were erased, or does not hold', () => {
    const { erasedBy } = erased
    if (!erasedBy) throw new Error('the words were erased')
    expect(verifyReceipt(erased, { keys })).toMatchObject({ ok: true, codes: ['content.erased'] })
    const codes = (by: unknown, of: object = erased) =>
      verifyReceipt({ ...of, erasedBy: by }, { keys }).codes
    const withheld = { ...receipt, sealed: null }
    expect(codes(null, withheld)).toEqual(['content.withheld'])
    expect(codes(erasedBy, withheld)).toContain('erasure.mismatch')
    expect(codes({ entry: receipt.entry, proof: receipt.proof })).toContain('erasure.mismatch')
    expect(codes({ ...erasedBy, proof: erasedBy.proof.slice(1) })).toContain('erasure.mismatch')
    const other = erasedBy.entry.replace('"basis":"requested"', '"basis":"secret"')
    expect(codes({ ...erasedBy, entry: other })).toContain('erasure.mismatch')
    expect(codes(erasedBy, receipt)).toEqual(['receipt.malformed'])
  })
})

describe('a bundle', () => {
  const against = (lines: readonly string[], note = head.note) =>
    verifyBundle(lines, { keys, checkpoint: note })

  holds('LEDGER-OFFLINE', 'is checked with nothing but itself, a key and a head', async () => {
    for (const { note, size } of [half, head]) {
      expect(await against(bundle, note)).toMatchObject({
        ok: true,
        codes: ['content.erased'],
        checkpoint: { size },
        seq: null,
      })
    }
  })

  holds('LEDGER-OFFLINE', 'does not hold when any line of it is another', async () => {
    for (const [at, line] of bundle.entries()) {
      for (const lines of [
        bundle.toSpliced(at, 1),
        bundle.toSpliced(at, 0, line),
        bundle.toSpliced(
          at,
          1,
          line.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
        ),
        bundle.toSpliced(at, 1, '\ud800'),
        bundle.slice(0, at),
      ]) {
        for (const each of [lines, resigned(lines)]) {
          if (each.join('') === bundle.join('')) continue
          const verdict = await against(each)
          expectCoded(verdict)
          // Counters rest on the digest alone, which whoever knows the format can write anew.
          const isCounter = /^\{"(actorKey|tally|burst|tombstone)":/.test(line)
          if (!isCounter) expect(verdict.ok, `line ${at + 1}`).toBe(false)
        }
      }
    }
  })

  test('says what is wrong: of another log, cut short, rewritten, signed by another', async () => {
    const other = await papers()
    expect((await against(other.bundle)).codes).toContain('origin.mismatch')
    const strangers = await verifyBundle(bundle, { keys: [], checkpoint: head.note })
    expect(strangers).toMatchObject({ ok: false, codes: ['signature.unknown', 'content.erased'] })
    await me.note('one more')
    const later = await stack.ledger.checkpoint()
    expect((await against(bundle, later.note)).codes).toContain('head.rollback')
    const fork = await forked()
    expect((await verifyBundle(bundle, fork)).codes).toContain('consistency.fail')
    const sealed = bundle.findIndex((line) => line.startsWith('{"sealed":'))
    const without = bundle
      .toSpliced(sealed, 1)
      .map((line) => line.replace(/("sealed":)(\d+)/, (_, name, n) => `${name}${Number(n) - 1}`))
    expect((await against(resigned(without))).codes).toContain('content.missing')
    const reworded = bundle.map((line) => line.replace('words that stay', 'words that lie'))
    expect((await against(resigned(reworded))).codes).toContain('commitment.mismatch')
  })

  holds(
    'LEDGER-OFFLINE',
    'does not hold with words in it that its log says are erased',
    async () => {
      const before = given.halfway.find((line) => line.includes('words that go'))
      const at = bundle.findIndex((line) => line.startsWith('{"sealed":'))
      if (before === undefined || at < 0) throw new Error('the words were there')
      const { sealed } = JSON.parse(before) as { readonly sealed: { readonly seq: number } }
      const isLater = (line: string) =>
        (JSON.parse(line) as { sealed?: { seq: number } }).sealed?.seq ?? Number.POSITIVE_INFINITY
      const place = bundle.findIndex((line, index) => index >= at && isLater(line) > sealed.seq)
      const kept = bundle
        .toSpliced(place, 0, before)
        .map((line) => line.replace(/("sealed":)(\d+)/, (_, name, n) => `${name}${Number(n) + 1}`))
      expect(await against(resigned(kept))).toMatchObject({
        ok: false,
        codes: ['erasure.mismatch'],
        seq: sealed.seq,
      })
    },
  )

  test('of any lines at all gets a code', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), async (lines) => {
        for (const each of [lines, [bundle[0] ?? '', ...lines]]) {
          const verdict = await against(each)
          expectCoded(verdict)
          expect(verdict.ok).toBe(false)
        }
      }),
      { numRuns: 200 },
    )
  })
})
