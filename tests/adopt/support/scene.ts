import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { formatNamed } from '../../../src/adopt/formats/table.ts'
import { sourcesAt } from '../../../src/adopt/source.ts'
import { type Taken, takeSource } from '../../../src/adopt/take.ts'
import { openStack } from '../../../src/compose/open-stack.ts'
import type { Caller } from '../../../src/domain/doors.ts'
import { KINDS } from '../../../src/domain/ids.ts'
import { redacted } from '../../../src/domain/words/secrets.ts'
import type { Memory } from '../../../src/engine/read/memory-view.ts'
import type { Stack } from '../../../src/stack.ts'
import { MemoryStore } from '../../../src/stores/memory/store.ts'
import { fakeWorld } from '../../../src/testing/world.ts'

export const KEY = new Uint8Array(32).fill(7)

export const PERSON: Caller = {
  door: 'cli',
  operation: 'adopt',
  person: true,
  grant: null,
  session: null,
  turn: null,
}

export const PROGRAM: Caller = { ...PERSON, person: false }

export async function freshStack(seed = 1): Promise<Stack> {
  return openStack('adopted', { store: new MemoryStore(), ...fakeWorld(seed) })
}

/** Writes files into a folder, by their paths inside. */
export function lay(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

interface How {
  readonly by?: Caller
  readonly isVouched?: boolean
  readonly format?: string
  readonly partRecords?: number
}

/** Takes everything that a place holds, one result for each source. */
export async function adopt(
  stack: Stack,
  place: string,
  { by = PERSON, isVouched = false, format, ...more }: How = {},
): Promise<readonly Taken[]> {
  const { sources } = await sourcesAt(place, format === undefined ? undefined : formatNamed(format))
  const taken: Taken[] = []
  for (const source of sources) {
    taken.push(
      await takeSource(stack, source, { key: KEY, by, isVouched, redact: redacted, ...more }),
    )
  }
  return taken
}

/** Takes a place with one source. */
export async function adoptOne(stack: Stack, place: string, how?: How): Promise<Taken> {
  const [only, ...more] = await adopt(stack, place, how)
  if (only === undefined || more.length > 0) throw new Error('the place does not hold one source')
  return only
}

/** Every memory of a stack, oldest first, captures too. */
export async function memoriesOf(stack: Stack): Promise<readonly Memory[]> {
  const all: Memory[] = []
  for (const kind of KINDS) {
    for (let after: string | undefined; ; ) {
      const page: readonly Memory[] = await stack.list(kind, {
        limit: 1_000,
        includeSetAside: true,
        includeForgotten: true,
        ...(after === undefined ? {} : { after }),
      })
      all.push(...page)
      after = page.at(-1)?.id
      if (page.length < 1_000) break
    }
  }
  return all.toSorted((a, b) => a.entry.seq - b.entry.seq)
}
