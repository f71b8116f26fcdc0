import type { Ref } from '../../../src/domain/ids.ts'
import { splitRef } from '../../../src/domain/ids.ts'
import { label } from '../../../src/domain/labels.ts'
import type { Stack } from '../../../src/stack.ts'
import type { Planted } from '../../doors/support/planted.ts'
import { at, saying } from '../../stack/support.ts'

/** Part of every word that only memories of tier 1 say. */
export const LOW_WORD = /quokka[a-z]*/g

/** Words of the person, at tier 3. */
export const OWN_WORD = 'walrus'

const letters = (n: number): string => String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))

/**
 * A stack in which a person said a few things, and a model said something in every field that takes
 * free words: bodies, subjects, predicates, sources, tags, reasons, names of epochs. Each field has a
 * word of its own.
 */
export async function plantLowWords(stack: Stack): Promise<readonly Planted[]> {
  const planted: Planted[] = []
  let count = 0
  const word = (): string => `quokka${letters(count++)}`
  const refs = new Map<string, Ref>()
  const put = async (kind: string, of: (word: string) => object, from: readonly string[]) => {
    const own = word()
    const derivedFrom = from.map((each) => refs.get(each) as Ref)
    const provenance = saying('ModelDerived', {
      sourceId: 'model',
      derivedFrom,
      confidence: 0.3,
      sourceEntity: `a page about ${word()}`,
    })
    const request = { kind, body: of(own), provenance } as Parameters<Stack['write']>[0]
    const { ref } = await stack.write(request, at('lib'))
    if (ref === null) throw new Error(`no ${kind} was planted`)
    refs.set(kind, ref as Ref)
    planted.push({ ref: ref as Ref, word: own })
  }
  const says = (own: string): string => `The ${own} was always painted blue by everybody here`
  await stack.epochs.begin(says(word()), {
    label: label.modelDerived(),
    actor: 'model',
    triggerDescription: says(word()),
  })
  await put('raw', (own) => ({ content: says(own) }), [])
  const from = ['raw']
  await put(
    'episode',
    (own) => ({ objective: says(own), outcome: 'done', lessons: [says(own), own] }),
    from,
  )
  await put('note', (own) => ({ content: says(own), tags: [own] }), from)
  await put('claim', (own) => ({ subject: 'wall', predicate: `${own} paint`, value: own }), from)
  await put('claim', (own) => ({ subject: `${own} wall`, predicate: 'colour', value: own }), from)
  await put('claim', (own) => ({ subject: 'wall', predicate: 'colour', value: own }), from)
  await put('belief', (own) => ({ statement: says(own) }), ['episode'])
  await put('goal', (own) => ({ title: says(own) }), ['belief'])
  await put(
    'relationship',
    (own) => ({ entityName: own, relationshipType: 'friend', notes: says(own) }),
    ['episode'],
  )
  const met = splitRef(refs.get('relationship') as Ref)
  const again = { entityName: 'Kim', relationshipType: 'friend', notes: says(word()) } as const
  const derivedFrom = [refs.get('episode') as Ref]
  const provenance = saying('ModelDerived', { sourceId: 'model', derivedFrom })
  const revises = { id: met.id, revises: { expectedVersion: 1 } }
  await stack.write({ kind: 'relationship', body: again, provenance, ...revises }, at('lib'))
  await put('value', (own) => ({ name: own, statement: says(own) }), ['belief'])
  await put('drive', (own) => ({ driveType: own }), ['belief'])
  await put('playbook', (own) => ({ name: own, description: says(own) }), ['belief'])
  await put(
    'summary',
    (own) => ({
      scope: 'month',
      content: says(own),
      periodStart: '2025-12-01T00:00:00.000Z',
      periodEnd: '2025-12-31T00:00:00.000Z',
    }),
    ['note'],
  )
  await put('self_narrative', (own) => ({ content: says(own) }), ['belief'])
  await put(
    'suggestion',
    (own) => ({ memoryType: 'belief', content: { statement: says(own) }, confidence: 0.5 }),
    [],
  )
  await plantReasons(stack, planted, { word, note: refs.get('note') as Ref })
  return planted
}

/** Reasons and tags that a model gave for changes of a person's memory, and of its own memory. */
async function plantReasons(
  stack: Stack,
  planted: Planted[],
  { word, note }: { readonly word: () => string; readonly note: Ref },
): Promise<void> {
  const said = saying('UserAsserted', { sourceId: 'ann' })
  const body = { content: `The ${OWN_WORD} fence was painted white by Ann` }
  const raw = await stack.write({ kind: 'raw', body, provenance: said }, at('lib'))
  const provenance = { ...said, derivedFrom: [raw.ref as Ref] }
  const { ref } = await stack.write({ kind: 'note', body, provenance }, at('lib'))
  await stack.claims.remember('wall', 'colour', OWN_WORD, { actor: 'ann', saidBy: 'ann' })
  planted.push({ ref: ref as Ref, word: OWN_WORD })
  const model = { label: label.modelDerived(), actor: 'model', caller: at('mcp') } as const
  const own = splitRef(note).id
  const because = (): string => `because the ${word()} told us`
  await stack.updateMemoryMeta('note', own, { confidence: 0.2, reason: because(), ...model })
  await stack.changes.weaken(note, 0.1, { ...model, reason: because() })
  await stack.changes.weaken(ref as Ref, 0.1, { ...model, reason: because() })
  await stack.forgetMemory('note', splitRef(ref as Ref).id, because(), model)
}
