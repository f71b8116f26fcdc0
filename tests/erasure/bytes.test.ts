import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parseStackId, type Ref } from '../../src/domain/ids.ts'
import { identityParts } from '../../src/domain/kinds/content.ts'
import { Entity, label, openStack } from '../../src/index.ts'
import { contentHash } from '../../src/ledger/ledger.ts'
import { fromHex } from '../../src/ledger/sha256.ts'
import { verifyErasure, verifyReceipt } from '../../src/ledger/verify/index.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { at, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { testSha256 as sha256 } from '../support/world.ts'
import { foundIn, spellingsOf, spellingsOfBytes } from './scan.ts'

const CANARY = 'Zwickelfarbe'
const PHRASINGS = 20
const IN_EVERY_FORM = 'wickelfarb' // whatever case and ending an index gives it
const home = () => mkdtempSync(join(tmpdir(), 'muniment-erase-'))

holds(
  ['ERASE-BYTES', 'LEDGER-CONTENTLESS'],
  'after an erasure no file holds the words or the salt, and the ledger still verifies',
  async () => {
    const folder = home()
    const path = join(folder, 'demo.db')
    const stack = await openStack('demo', { path, home: folder })
    const me = new Entity('my-agent')
    await me.attachStack(stack)
    for (let i = 0; i < 50; i += 1) await me.note(`an ordinary thought, number ${i}`)
    const raw = await me.raw(`My secret is ${CANARY} and nobody shall know`)
    const note = await me.note(`He said ${CANARY} to me`, { derivedFrom: [raw.ref] })
    const belief = await me.belief('Secrets are told', { derivedFrom: [note.ref] })
    await stack.updateMemoryMeta('note', note.id, { tags: [CANARY] })
    await stack.forgetMemory('note', note.id, `because ${CANARY}`)
    await stack.recoverMemory('note', note.id)
    await stack.search(CANARY, { session: 'a session' })
    const salts = await secretsOf(path, [raw.ref, note.ref])
    expect(foundIn(folder, spellingsOf(IN_EVERY_FORM)).length).toBeGreaterThan(0)
    for (const salt of salts) expect(foundIn(folder, spellingsOfBytes(salt))).not.toEqual([])

    const before = await stack.ledger.checkpoint()
    const gone = await stack.erasure.erase(raw.ref, { derived: 'list' })
    expect(gone).toMatchObject({
      erased: [raw.ref],
      derived: [note.ref, belief.ref],
      scrubbed: true,
    })
    const second = await stack.erasure.erase(note.ref, { derived: 'keep', basis: 'secret' })
    expect(second).toMatchObject({ erased: [note.ref], derived: [belief.ref], scrubbed: true })

    for (const open of [true, false]) {
      if (!open) await stack.close()
      expect(foundIn(folder, spellingsOf(IN_EVERY_FORM))).toEqual([])
      for (const salt of salts) expect(foundIn(folder, spellingsOfBytes(salt))).toEqual([])
    }
    const again = await openStack('demo', { path, home: folder })
    const report = await again.ledger.auditAgainst(before.note)
    expect(report.problems).toEqual([])
    expect(report.notes.map(({ code, ref }) => [code, ref])).toContainEqual([
      'content.erased',
      raw.ref,
    ])
    expect(await again.ledger.audit({ only: 'chain' })).toMatchObject({
      ok: true,
      notes: report.notes,
    })
    const receipt = await again.ledger.prove(raw.ref)
    const keys = [await again.ledger.verifierKey()]
    expect(verifyReceipt(receipt, { keys })).toMatchObject({ ok: true, codes: ['content.erased'] })
    expect(verifyErasure(second.certificate, { keys })).toMatchObject({
      ok: true,
      codes: ['content.erased'],
    })
    expect(verifyErasure(await again.erasure.certificate(raw.ref), { keys }).ok).toBe(true)
    await again.ledger.rebuild()
    expect((await again.ledger.audit()).problems).toEqual([])
    await again.close()
    const store = new SqliteStore({ path })
    expect(await store.check()).toEqual([])
    await store.close()
  },
)

/** Salts, and unsalted digests of what was said: whoever has those can guess it. */
async function secretsOf(path: string, refs: readonly string[]): Promise<readonly Uint8Array[]> {
  const store = new SqliteStore({ path, readOnly: true })
  const rows = await store.read(parseStackId('demo'), {
    type: 'table',
    name: 'sealed',
    from: 0,
    to: 100_000,
  })
  const states = await store.read(parseStackId('demo'), {
    type: 'memories',
    as: 'state',
    order: 'oldest',
    limit: 1_000,
  })
  await store.close()
  const salts = rows.filter(({ ref }) => refs.includes(ref)).map(({ salt }) => salt)
  const digests = states
    .filter(({ ref }) => refs.includes(ref))
    .flatMap(({ contentHash, identity }) => [fromHex(contentHash), fromHex(identity)])
  return [...salts, ...digests]
}

holds('ERASE-BYTES', 'what was erased stays out until a person lets it back in', async () => {
  const folder = home()
  const path = join(folder, 'demo.db')
  const stack = await openStack('demo', { path, home: folder })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const raw = await me.raw(`My secret is ${CANARY}`)
  await stack.erasure.erase(raw.ref)
  await expect(me.raw(`my  secret is ${CANARY.toUpperCase()}`)).rejects.toMatchObject({
    code: 'refused',
  })
  await me.raw('something else is taken')
  await stack.erasure.readmit(raw.ref, { label: label.userAsserted() })
  const back = await me.raw(`My secret is ${CANARY}`)
  expect(back.ref).not.toBe(raw.ref)
  expect((await stack.ledger.audit()).problems).toEqual([])
  await stack.close()
})

holds(
  'ERASE-BYTES',
  'nothing is left by which rewordings could be guessed once they are erased with the original',
  async () => {
    const folder = home()
    const path = join(folder, 'demo.db')
    const stack = await openStack('demo', { path, home: folder })
    const raw = { kind: 'raw', body: { content: 'Something was said' } } as const
    const { ref: source } = await stack.write(
      { ...raw, provenance: saying('ExternalFirstHand') },
      at('lib'),
    )
    const derivedFrom = [source as Ref]
    const noteOf = (content: string) => ({ kind: 'note' as const, body: { content } })
    const text = `${CANARY} prefers dark mode in the editor and a quiet theme`
    const said = { ...noteOf(text), provenance: saying('UserAsserted', { derivedFrom }) }
    const { ref } = await stack.write(said, at('lib'))
    const model = at('mcp', { session: 'talk' })
    await stack.history.trace(String(ref), { caller: model })
    const reworded: string[] = []
    const refs: string[] = []
    for (let turn = 0; turn < PHRASINGS; turn += 1) {
      const again = `${CANARY} prefers dark mode in the editor, and a quiet theme${'.'.repeat(turn + 1)}`
      const provenance = saying('ModelDerived', { derivedFrom })
      const written = await stack.write({ ...noteOf(again), provenance }, model)
      expect(written.reasons).toContain('rewording')
      reworded.push(again)
      refs.push(String(written.ref))
    }
    const gone = await stack.erasure.erase(String(ref))
    expect(gone).toMatchObject({ erased: [ref], scrubbed: true })
    for (const each of refs) await stack.erasure.erase(each)
    for (const words of [text, ...reworded]) {
      const digests = [
        contentHash(sha256, noteOf(words).body),
        contentHash(sha256, identityParts('note', noteOf(words).body)),
      ]
      for (const digest of digests) {
        expect(foundIn(folder, spellingsOfBytes(fromHex(digest)))).toEqual([])
      }
    }
    expect(foundIn(folder, spellingsOf(IN_EVERY_FORM))).toEqual([])
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.close()
  },
)
