import { openStack } from '../../src/compose/open-stack.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import type { MemoryId } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import type { RoutedPayload } from '../../src/domain/provenance.ts'
import { canonicalize } from '../../src/ledger/canonical.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'

/** What must not be found in an error, wherever it was put in. */
export const SECRET = 'kanari-secret'

/** A stack that has begun its life, with one raw to cite. */
export async function ground() {
  const store = new MemoryStore()
  const stack = await openStack('ground', { store, ...fakeWorld(1) })
  await stack.control.setState('ACTIVE')
  const raw = await stack.write({
    kind: 'raw',
    body: { content: 'the ground everything stands on' },
    provenance: firstHand(),
  })
  if (raw.ref === null) throw new Error('the ground was refused')
  return { stack, store, raw: raw.ref }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whatever was sealed lies there as the one canonical form of what it says. */
export const areCanonical = (store: MemoryStore, stack: Stack): boolean =>
  [...store.rows(stack.stackId).sealed.values()]
    .map(({ bytes }) => decoder.decode(bytes))
    .every((text) => canonicalize(JSON.parse(text)) === text)

export const firstHand = (more: Partial<RoutedPayload> = {}): RoutedPayload => ({
  sourceType: 'direct_experience',
  label: label.firstHand(),
  sourceId: 'someone',
  ingestionPath: 'lib:test',
  confidence: 0.8,
  llmModel: null,
  ...more,
})

export type Ending =
  | { readonly kept: true; readonly id: MemoryId }
  | { readonly kept: false; readonly error: MunimentError }

/** How a write ends. Whatever is not kept must be a coded error and must have left nothing. */
export async function ending(stack: Stack, write: () => Promise<MemoryId>): Promise<Ending> {
  const before = await standing(stack)
  try {
    return { kept: true, id: await write() }
  } catch (error) {
    if (!(error instanceof MunimentError)) throw error
    if (error.code === 'invariant') throw error
    const after = await standing(stack)
    const isRefusal = error.facts.entry !== undefined
    // A refusal may leave its one entry; a suggestion is where refused noise is kept.
    const mostEntries = before.entries + (isRefusal ? 1 : 0)
    if (after.memories !== before.memories || after.entries > mostEntries) {
      throw new Error(`${error.code}: something was stored`, { cause: error })
    }
    return { kept: false, error }
  }
}

async function standing(stack: Stack) {
  const { total = 0, suggestion = 0 } = await stack.getStats()
  const { entries, problems } = await stack.ledger.audit()
  if (problems.length > 0) throw new Error(canonicalize(problems))
  return { memories: total - suggestion, entries }
}

/** All that an error says, for looking up what it must not. */
export const saidBy = ({ message, issues, hint, facts }: MunimentError): string =>
  JSON.stringify([message, issues, hint ?? null, facts])
