import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROTOCOL_SUITE } from '../../src/testing/conformance/protocol-suite.ts'
import { ROOT, readProjectFile } from '../support/project-files.ts'

const DOCUMENT = 'docs/stack-protocol.md'
const text = readProjectFile(DOCUMENT)
const LINK = /\]\(\.\.\/([^)]+)\)(?:\s+\*([^*]+)\*)?/g

const links = [...text.matchAll(LINK)].map(([, file = '', title]) => ({
  file,
  title: title?.replace(/\s+/g, ' '),
}))

describe('the protocol’s document', () => {
  test('names tests that are there, by the titles they have', () => {
    expect(links.length).toBeGreaterThan(60)
    const missing = links.filter(
      ({ file, title }) =>
        !existsSync(path.join(ROOT, file)) ||
        (title !== undefined && !readProjectFile(file).includes(title)),
    )
    expect(missing).toEqual([])
  })

  test('leaves out no case of the suite', () => {
    const named = new Set(links.map(({ title }) => title))
    expect(PROTOCOL_SUITE.map(({ title }) => title).filter((title) => !named.has(title))).toEqual(
      [],
    )
  })
})
