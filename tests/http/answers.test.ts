import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCheckpoint, verifyReceipt } from '../../src/ledger/verify/index.ts'
import { OPERATIONS } from '../../src/operations/operations.ts'
import { scratch } from '../cli/support/scratch.ts'
import { holds } from '../support/holds.ts'
import { served } from './support/server.ts'

describe('operations over HTTP', () => {
  test('a note is kept, found, explained and proved', async () => {
    const server = await served()
    const kept = await server.op('note', { content: 'The table has forty million rows' })
    expect(kept).toMatchObject({ status: 201, json: { disposition: 'CommittedInferred' } })
    const { ref } = kept.json
    const found = await server.ask('/v1/stacks/default/search?query=table&limit=5')
    expect(found.json).toMatchObject([{ memoryId: kept.json.id }])
    const short = ref.slice(-8)
    const why = await server.ask(`/v1/stacks/default/why?ref=${short}`)
    expect(why.json.lineage.at(-1).memory.ref).toBe(ref)
    const receipt = await server.op('prove', { ref })
    const { key, note } = (await server.op('checkpoint')).json
    expect(verifyReceipt(receipt.json, { keys: [key] }).ok).toBe(true)
    expect(openCheckpoint(note, [key])).toMatchObject({ size: 5 })
  })

  test('the ledger comes as the text that was hashed, page by page', async () => {
    const server = await served()
    await server.op('note', { content: 'one' })
    const { head, entries } = (await server.ask('/v1/stacks/default/entries?from=1&limit=2')).json
    expect(entries.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2])
    expect(JSON.parse(entries[1].entry).prevHash).toBe(entries[0].hash)
    expect(head.seq).toBe(4)
    const past = await server.ask('/v1/stacks/default/entries?from=99')
    expect(past.json.entries).toEqual([])
  })

  test('lists of a query are given field by field, and what is no field is named', async () => {
    const server = await served()
    await server.op('note', { content: 'with a tag', tags: ['deploy'] })
    const found = await server.ask('/v1/stacks/default/list?kind=note&tags=a&tags=deploy&all=true')
    expect(found.json).toHaveLength(1)
    const bad = await server.ask('/v1/stacks/default/list?kind=note&all=perhaps&limit=x&nope=1')
    expect(bad).toMatchObject({
      status: 400,
      json: {
        code: 'invalid_input',
        issues: [{ path: 'all' }, { path: 'limit' }, { path: 'nope' }],
      },
    })
  })

  test('what is not there is a problem for programs, and a page only where the explorer has one', async () => {
    const explorer = scratch()
    writeFileSync(path.join(explorer, 'index.html'), '<!doctype html>')
    const server = await served({ explorer })
    for (const place of ['/', '/default', '/default/ledger', '/my.stack/memory/note:1.2']) {
      expect(await server.ask(place)).toMatchObject({ status: 200, text: '<!doctype html>' })
    }
    for (const place of [
      '/v1',
      '/v1/nope',
      '/v1/stacks/default',
      '/v2/x',
      '/default/nope',
      '/x.js',
    ]) {
      const { status, headers } = await server.ask(place)
      expect([place, status, headers.get('content-type')]).toEqual([
        place,
        404,
        'application/problem+json',
      ])
    }
  })

  test('what writes is not done by GET', async () => {
    const server = await served()
    expect(await server.ask('/v1/stacks/default/note?content=x')).toMatchObject({
      status: 405,
      json: { code: 'invalid_input' },
    })
  })

  test('an answer that is still the same is not sent again', async () => {
    const server = await served({ now: () => 1_800_000_000_000 })
    await server.op('note', { content: 'one' })
    const path = '/v1/stacks/default/list?kind=note'
    const first = await server.ask(path)
    const etag = first.headers.get('etag') ?? ''
    const headers = { 'if-none-match': etag }
    expect((await server.ask(path, { headers })).status).toBe(304)
    const other = { ...headers, 'muniment-session': 'another' }
    expect((await server.ask(path, { headers: other })).status).toBe(200)
    await server.op('note', { content: 'two' })
    expect((await server.ask(path, { headers })).json).toHaveLength(2)
  })

  test('a repeat under the same key is answered, not done', async () => {
    const server = await served()
    const headers = { 'idempotency-key': 'k-1' }
    const body = { content: 'once', tags: ['a'] }
    const [first, second] = await Promise.all([
      server.op('raw', body, { headers }),
      server.op('raw', body, { headers }),
    ])
    expect(second?.json).toEqual(first?.json)
    expect(second?.headers.get('idempotency-replayed')).toBe('true')
    expect((await server.op('stats')).json).toMatchObject({ raw: 1 })
    const other = await server.op('raw', { content: 'another' }, { headers })
    expect(other).toMatchObject({ status: 409, json: { code: 'id_exists' } })
  })

  holds(
    'READ-RECEIPT',
    'a key of another session or turn is another key: its answer was not told here',
    async () => {
      const server = await served()
      const episodes = { objective: 'Deployed', outcome: 'broken', lessons: ['Fridays'] }
      for (const objective of ['Deployed in May', 'Deployed in June']) {
        await server.op('episode', { ...episodes, objective })
      }
      const promote = async (session: string, turn: string) => {
        const headers = {
          'idempotency-key': 'k-1',
          'muniment-session': session,
          'muniment-turn': turn,
        }
        const answer = await server.op('promote', {}, { headers })
        expect(answer.text).toContain('Fridays')
        const { json } = await server.op('receipts', { of: session })
        const told = json.filter((each: { turn: string }) => each.turn === turn)
        return [told.length > 0, answer.headers.get('idempotency-replayed')]
      }
      expect(await promote('one', '1')).toEqual([true, null])
      expect(await promote('one', '1')).toEqual([true, 'true'])
      expect(await promote('one', '2')).toEqual([true, null])
      expect(await promote('two', '1')).toEqual([true, null])
    },
  )

  test('what was read under a key is read again, so that erased words are gone', async () => {
    const server = await served()
    const token = await server.token('mine')
    const headers = { 'idempotency-key': 'k-1' }
    const { ref } = (await server.op('note', { content: 'canary words' }, { token })).json
    const before = await server.op('show', { ref }, { token, headers })
    expect(before.text).toContain('canary')
    const erased = await server.op('erase', { ref, basis: 'requested', yes: true }, { token })
    expect(erased.json.erased).toContain(ref)
    const after = await server.op('show', { ref }, { token, headers })
    expect(after.text).not.toContain('canary')
  })

  test('every operation of the table has a path in openapi.json and a place on the page', async () => {
    const server = await served()
    const { json } = await server.ask('/openapi.json')
    expect(json.openapi).toBe('3.1.0')
    const page = (await server.ask('/docs')).text
    for (const name of Object.keys(OPERATIONS)) {
      const path = name.replaceAll('_', '-')
      expect(json.paths[`/v1/stacks/{stack}/${path}`]?.post, name).toBeDefined()
      expect(page).toContain(`id="${path}"`)
    }
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })

  test('every sample on the page shows a token, since a call without a token is answered 401', async () => {
    const server = await served()
    const page = (await server.ask('/docs')).text
    const [, samples = ''] = /<pre>(curl[\s\S]*?)<\/pre>/.exec(page) ?? []
    const calls = samples.split('curl ').slice(1)
    expect(calls.map((call) => call.includes('Authorization: Bearer'))).toEqual([true, true])
    expect(page).toContain('A call without a token is answered with 401')
    expect(page).not.toContain('taken for a model')
  })

  test('health and figures are told; names of memories are not in them', async () => {
    const server = await served()
    await server.op('note', { content: 'canary words' })
    expect((await server.ask('/healthz')).json).toMatchObject({ status: 'ok' })
    const { text } = await server.ask('/metrics')
    expect(text).toContain('muniment_http_requests_total{route="note",status="201"} 1')
    expect(text).toContain('muniment_http_request_seconds_bucket{route="note",le="+Inf"} 1')
    expect(text).not.toContain('canary')
  })
})

describe('changes as they happen', () => {
  test('an event for every entry, from where the reader was', async () => {
    const server = await served()
    await server.op('note', { content: 'one' })
    const headers = { 'last-event-id': '2' }
    const response = await fetch(`${server.url}/v1/stacks/default/changes`, { headers })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (part: string): Promise<void> => {
      while (!text.includes(part)) text += (await reader?.read())?.value ?? ''
    }
    await until('id: 4\n')
    expect(text).not.toContain('id: 2\n')
    const kept = (await server.op('note', { content: 'two' })).json
    await until(`"ref":"${kept.ref}"`)
    expect(text).toMatch(/event: entry\ndata: \{"seq":6,"op":"memory.saved"/)
    await reader?.cancel()
  })
})
