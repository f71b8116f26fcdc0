import { rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { assert, MunimentError } from '../../../domain/errors.ts'
import { grouped } from '../../../operations/text/words.ts'
import type { Stack } from '../../../stack.ts'
import type { Scene } from '../host.ts'

interface Embedded {
  readonly open: (options: {
    readonly home: string
    readonly path: string
    readonly clock: { readonly now: () => number }
  }) => Promise<Stack>
  readonly now: () => number
}

/** A real stack in a real file, in a temporary folder. */
export async function embeddedScene({ open, now }: Embedded): Promise<Scene> {
  const folder = await temporaryFolder()
  const file = path.join(folder, 'demo.db')
  let ahead = 0
  return {
    open: () => open({ home: folder, path: file, clock: { now: () => now() + ahead } }),
    later: (ms) => {
      ahead += ms
    },
    vandalise: (from, to) => overwrite(file, from, to),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(path.join(tmpdir(), 'muniment-demo-'))
  } catch (cause) {
    throw new MunimentError('store_unavailable', `Nothing can be written in ${tmpdir()}.`, {
      hint: 'Name another place for it: TMPDIR=<dir> muniment demo',
      cause,
    })
  }
}

/** Edits the file outside the database, without triggers or traces, as any program can. */
async function overwrite(file: string, from: string, to: string): Promise<string> {
  const bytes = await readFile(file)
  const replacement = Buffer.from(to)
  assert(replacement.length === Buffer.byteLength(from), 'the file keeps its length')
  const first = bytes.indexOf(from)
  assert(first >= 0, 'the words are in the file')
  for (let at = first; at >= 0; at = bytes.indexOf(from, at + 1)) replacement.copy(bytes, at)
  await writeFile(file, bytes)
  const offset =
    first + [...replacement].findIndex((byte, index) => byte !== Buffer.from(from)[index])
  return `byte ${grouped(offset)} of ${path.basename(file)}`
}
