import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stack } from '../../src/stack.ts'
import { makeServer } from '../../tests/postgres/support/server.ts'
import { Entity, label, openStack, postgres } from '../built.ts'
import { type Conversation, momentOf } from './data.ts'

/** Where stacks are kept while they are measured. */
export interface Place {
  readonly open: (id: string, home: string) => Promise<Stack>
  readonly close: () => Promise<void>
}

export const FILES: Place = {
  open: (id, home) => openStack(id, { home }),
  close: async () => undefined,
}

/** A real server of PostgreSQL, one stack for each conversation in one database. */
export async function serverPlace(): Promise<Place> {
  const server = await makeServer()
  await server.start()
  const store = postgres({ connectionString: server.urlOf('postgres') })
  return {
    open: (id, home) => openStack(id, { home, store }),
    close: async () => {
      await store.close()
      await server.stop()
      server.remove()
    },
  }
}

export interface Kept {
  readonly stack: Stack
  /** The turn that each memory was made of. */
  readonly turnOf: ReadonlyMap<string, string>
  readonly fileBytes: number
}

/** What the store takes on disk once it is closed, when its log of writes has been taken in. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

/** A stack of its own for one conversation, every turn as it was said, by whom and when. */
export async function withConversation<T>(
  conversation: Conversation,
  place: Place,
  work: (kept: Kept) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-recall-'))
  try {
    const turnOf = await withStack(place, conversation.id, folder, (stack) =>
      written(stack, conversation),
    )
    const fileBytes = bytesIn(folder)
    return await withStack(place, conversation.id, folder, (stack) =>
      work({ stack, turnOf, fileBytes }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withStack<T>(
  place: Place,
  id: string,
  folder: string,
  work: (stack: Stack) => Promise<T>,
): Promise<T> {
  const stack = await place.open(id, folder)
  try {
    return await work(stack)
  } finally {
    await stack.close()
  }
}

async function written(stack: Stack, { id, turns }: Conversation): Promise<Map<string, string>> {
  const entity = new Entity(id)
  await entity.attachStack(stack)
  const turnOf = new Map<string, string>()
  for (const turn of turns) {
    const { ref } = await entity.raw(turn.text, {
      session: turn.session,
      eventTime: new Date(momentOf(turn.at)).toISOString(),
      ...(turn.role === 'assistant'
        ? { label: label.modelDerived(), sourceType: 'inference' }
        : { label: label.userAsserted() }),
      ...(turn.speaker === turn.role ? {} : { actor: turn.speaker }),
    })
    turnOf.set(ref, turn.id)
  }
  return turnOf
}
