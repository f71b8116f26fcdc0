import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataFolder, titleWithData } from '../../tests/support/data.ts'
import type { Hash } from '../domain/ids.ts'
import { verifyConsistency, verifyInclusion } from './merkle.ts'
import type { Sha256 } from './sha256.ts'

const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'hex') as Hash // node's digest is a Hash

interface VectorFile {
  readonly proof: readonly string[] | null
  readonly wantErr: boolean
  readonly desc: string
  readonly leafIdx: number
  readonly treeSize: number
  readonly leafHash: string | null
  readonly root: string | null
  readonly size1: number
  readonly size2: number
  readonly root1: string | null
  readonly root2: string | null
}

const vectors = dataFolder('vectors', 'merkle')
const listed = (kind: string): string[] =>
  vectors === undefined
    ? []
    : readdirSync(join(vectors, kind), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.json'))
        .sort()

describe.skipIf(vectors === undefined)(titleWithData('The transparency-dev cases', vectors), () => {
  const load = (kind: string, name: string) =>
    JSON.parse(readFileSync(join(vectors ?? '', kind, name), 'utf8')) as VectorFile // their schema
  const hex = (base64: string | null): string => Buffer.from(base64 ?? '', 'base64').toString('hex')

  it('are there, good and bad', () => {
    for (const kind of ['inclusion', 'consistency']) {
      const wanted = listed(kind).map((name) => load(kind, name).wantErr)
      expect(new Set(wanted)).toEqual(new Set([true, false]))
      expect(wanted.length).toBeGreaterThan(90)
    }
  })

  it.each(listed('inclusion'))('inclusion %s', (name) => {
    const file = load('inclusion', name)
    const claim = {
      leaf: hex(file.leafHash),
      index: file.leafIdx,
      size: file.treeSize,
      proof: (file.proof ?? []).map(hex),
      root: hex(file.root),
    }
    expect(verifyInclusion(sha256, claim)).toBe(!file.wantErr)
  })

  it.each(listed('consistency'))('consistency %s', (name) => {
    const file = load('consistency', name)
    const claim = {
      oldSize: file.size1,
      oldRoot: hex(file.root1),
      size: file.size2,
      root: hex(file.root2),
      proof: (file.proof ?? []).map(hex),
    }
    expect(verifyConsistency(sha256, claim)).toBe(!file.wantErr)
  })
})
