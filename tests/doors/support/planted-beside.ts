import type { Ref } from '../../../src/domain/ids.ts'
import { splitRef } from '../../../src/domain/ids.ts'
import type { Stack } from '../../../src/stack.ts'
import { at, saying } from '../../stack/support.ts'
import type { Planted } from './planted.ts'

/** A model whose words count for nothing, and that speaks of what others said. */
const NOBODY = { caller: at('mcp', { grant: { ModelDerived: 0 } }), actor: 'agent' } as const

const wordOf = (n: number): string => `zemb${String.fromCharCode(97 + n)}orq`

/** Memories that count for something, and beside each the words of a session that counts for nothing. */
export async function plantBeside(stack: Stack): Promise<readonly Planted[]> {
  const planted: Planted[] = []
  const write = async (kind: string, body: object, more: Partial<ReturnType<typeof saying>>) => {
    const { label = saying('ModelDerived').label, ...rest } = more
    const name = label.type === 'External' ? label.kind : label.type
    const request = { kind, body, provenance: saying(name, rest) } as Parameters<Stack['write']>[0]
    const { ref } = await stack.write(request, at('lib'))
    return ref as Ref
  }
  const user = saying('UserAsserted').label
  const raw = await write('raw', { content: 'What was said in May' }, { label: user })
  const derivedFrom = [raw]
  const said = (content: string) => write('note', { content }, { label: user, derivedFrom })
  const thought = (content: string) => write('note', { content }, { derivedFrom })
  const beside = async (ref: Ref, put: (reason: string, ref: Ref) => Promise<unknown>) => {
    const word = wordOf(planted.length)
    await put(`Because the ${word} was never paid`, ref)
    planted.push({ ref, word })
  }
  const by = (reason: string) => ({ ...NOBODY, reason })
  const { id: forgotten } = splitRef(await said('Rent is due on Mondays'))
  await beside(`note:${forgotten}` as Ref, (why) =>
    stack.forgetMemory('note', forgotten, why, NOBODY),
  )
  await beside(await said('Ann plays chess'), (why, ref) => stack.changes.weaken(ref, 0.5, by(why)))
  await beside(await said('It rained on Tuesday'), (why, ref) =>
    stack.sources.distrust(ref, by(why)),
  )
  await beside(await thought('The build takes long'), (why, ref) =>
    stack.updateMemoryMeta('note', splitRef(ref).id, { confidence: 0.2, ...by(why) }),
  )
  await beside(await thought('Deploys are slow'), (why, ref) =>
    stack.changes.weaken(ref, 0.1, by(why)),
  )
  await beside(await thought('Trains are late'), (why, ref) =>
    stack.updateMemoryMeta('note', splitRef(ref).id, { tags: [why], ...NOBODY }),
  )
  const episode = await write(
    'episode',
    { objective: 'Deployed', outcome: 'done', lessons: [] },
    { derivedFrom },
  )
  const belief = await write(
    'belief',
    { statement: 'Fridays are quiet' },
    {
      label: user,
      derivedFrom: [episode],
    },
  )
  await beside(belief, (why, ref) => stack.changes.supersede(ref, why, NOBODY).catch(() => null))
  return planted
}
