import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Receipt, verifyHeads, verifyReceipt } from '../../src/ledger/verify/index.ts'
import { openCheckpoint } from '../../src/ledger/verify/receipt.ts'
import { freshEntity } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

async function proved(notes = 5) {
  const world = await freshEntity()
  const { me, stack } = world
  const refs = []
  for (let count = 0; count < notes; count += 1) refs.push((await me.note(`note ${count}`)).ref)
  const keys = [await stack.ledger.verifierKey()]
  return { ...world, refs, keys }
}

const headOf = async (note: string, key: string) => {
  const opened = openCheckpoint(note, [key])
  if (typeof opened === 'string') throw new Error(opened)
  return opened
}

describe('a receipt', () => {
  holds('LEDGER-OFFLINE', 'is checked with nothing but itself and a key', async () => {
    const { stack, refs, keys } = await proved()
    for (const ref of refs) {
      const receipt = JSON.parse(JSON.stringify(await stack.ledger.prove(ref)))
      const verdict = verifyReceipt(receipt, { keys })
      expect(verdict).toMatchObject({ ok: true, codes: [], entry: { ref } })
    }
  })

  test('may withhold the content and still prove the entry', async () => {
    const { stack, refs, keys } = await proved()
    const receipt = await stack.ledger.prove(refs[0] ?? '', { withhold: true })
    expect(receipt.sealed).toBeNull()
    expect(verifyReceipt(receipt, { keys })).toMatchObject({
      ok: true,
      codes: ['content.withheld'],
    })
  })

  test('fails when any character of it is another', async () => {
    const { stack, refs, keys } = await proved(3)
    const receipt = await stack.ledger.prove(refs[1] ?? '')
    const text = JSON.stringify(receipt)
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom('0', 'a', 'Z', '9', '"', ' '),
        (at, character) => {
          if (text[at] === character) return
          let changed: unknown
          try {
            changed = JSON.parse(text.slice(0, at) + character + text.slice(at + 1))
          } catch {
            return // no JSON, no receipt
          }
          if (JSON.stringify(changed) === text) return
          expect(verifyReceipt(changed, { keys }).ok).toBe(false)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('says which part is wrong', async () => {
    const { stack, refs, keys } = await proved()
    const receipt = await stack.ledger.prove(refs[2] ?? '')
    const other = await stack.ledger.prove(refs[3] ?? '')
    const codes = (changed: Partial<Receipt>) =>
      verifyReceipt({ ...receipt, ...changed }, { keys }).codes
    expect(codes({ entry: receipt.entry.replace('"v":1', '"v":2') })).toContain('leaf.mismatch')
    expect(codes({ entry: other.entry })).toContain('inclusion.fail')
    expect(codes({ sealed: other.sealed })).toEqual(['commitment.mismatch'])
    expect(codes({ proof: receipt.proof.slice(1) })).toEqual(['inclusion.fail'])
    expect(codes({ proof: [...receipt.proof].reverse() })).toEqual(['inclusion.fail'])
    expect(codes({ checkpoint: 'nothing' })).toEqual(['note.malformed'])
    const stranger = [(await proved(1)).keys[0] ?? '']
    expect(verifyReceipt(receipt, { keys: stranger }).codes).toEqual(['signature.unknown'])
    const forged = receipt.checkpoint.replace(/^(.*\n)\d+/, '$1999')
    expect(codes({ checkpoint: forged })).toEqual(['signature.invalid'])
    expect(verifyReceipt(null, { keys }).codes).toEqual(['receipt.malformed'])
  })

  test('is as good for an entry deep in a log of several tiles', async () => {
    const { me, stack, keys } = await proved(0)
    const refs = await Promise.all(Array.from({ length: 400 }, (_, n) => me.raw(`word ${n}`)))
    for (const at of [0, 1, 252, 253, 254, 255, 256, 399]) {
      const receipt = await stack.ledger.prove(refs[at]?.ref ?? '')
      expect(verifyReceipt(receipt, { keys }).codes, `raw ${at}`).toEqual([])
    }
  })
})

describe('heads', () => {
  test('grow out of one another, by a proof of their own', async () => {
    const { me, stack, keys } = await proved(3)
    const [key = ''] = keys
    const heads = [await stack.ledger.checkpoint()]
    for (let count = 0; count < 12; count += 1) {
      await me.note(`later ${count}`)
      heads.push(await stack.ledger.checkpoint())
    }
    const now = await headOf(heads.at(-1)?.note ?? '', key)
    for (const { note, size } of heads) {
      const proof = await stack.ledger.proveConsistency(size)
      const older = await headOf(note, key)
      expect(verifyHeads(older, now, proof)).toEqual({ ok: true, codes: [] })
      expect(verifyHeads({ ...older, root: now.root }, now, proof).ok).toBe(size === now.size)
      if (size < now.size) {
        expect(verifyHeads(now, older, proof).codes).toEqual(['head.rollback'])
        expect(verifyHeads(older, now, [...proof, now.root]).codes).toEqual(['consistency.fail'])
      }
    }
  })

  test('are signed once for a size, and kept in order', async () => {
    const { me, stack } = await proved(1)
    const first = await stack.ledger.checkpoint()
    expect((await stack.ledger.checkpoint()).note).toBe(first.note)
    await me.note('one more')
    const second = await stack.ledger.checkpoint()
    expect(await stack.ledger.checkpoints()).toEqual([first.note, second.note])
  })
})
