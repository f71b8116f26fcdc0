import fc from 'fast-check'
import type { Change, ChangeResult } from '../../src/domain/change.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import type { Ref } from '../../src/domain/ids.ts'
import { labelNamed } from '../../src/domain/labels.ts'
import type { MemoryState } from '../../src/domain/state.ts'
import { type Life, type LifeChange, LivesReference, type Who } from './reference/life.ts'
import { captureRef } from './reference/lineage.ts'
import { MODEL, Scene, USER } from './scene.ts'

/** One thing that somebody does to one of the memories of a scene. */
export interface LifeStep {
  readonly waitDays: number
  readonly who: Who
  readonly about: number
  readonly change: LifeChange | { readonly type: 'support'; readonly evidence: readonly number[] }
  readonly isVerified: boolean
}

/** Some of each: first-hand and reasoned, on shared and on separate ground, captured and not. */
export const MEMORIES = 12

const changes: fc.Arbitrary<LifeStep['change']> = fc.oneof(
  fc
    .constantFrom('forget', 'recover', 'access', 'deactivate', 'ask_review', 'clear')
    .map((type) => ({ type }) as LifeChange),
  fc.constant({ type: 'note_dormant' } as LifeChange),
  fc.boolean().map((on): LifeChange => ({ type: 'protect', on })),
  fc
    .constantFrom(0, 0.1, 0.3, 0.75, 0.85, 1)
    .map((amount) => ({ type: 'weaken', amount }) as const),
  fc
    .constantFrom(0, 0.3, 0.5, 0.8, 0.95, 1)
    .map((confidence) => ({ type: 'describe', confidence }) as const),
  fc
    .array(fc.nat(MEMORIES - 1), { maxLength: 3 })
    .map((evidence) => ({ type: 'support', evidence }) as const),
)

export const lifeSteps = (maxLength = 30): fc.Arbitrary<readonly LifeStep[]> =>
  fc.array(
    fc.record({
      waitDays: fc.constantFrom(0, 0, 0.9, 1, 45, 400, 2_500),
      who: fc.constantFrom<Who>('person', 'host', 'host', 'model', 'echo'),
      about: fc.nat(MEMORIES - 1),
      change: changes,
      isVerified: fc.boolean(),
    }),
    { maxLength },
  )

const LABELS = {
  person: 'UserAsserted',
  host: 'ExternalFirstHand',
  model: 'ModelDerived',
  echo: 'RecallReEntry',
} as const

const DAY = 86_400_000

/** A scene with memories in it, and the reference beside it. */
export async function openLives() {
  const scene = await Scene.open()
  const reference = new LivesReference()
  const refs: Ref[] = []
  const born = (ref: Ref, of: Partial<Life> = {}): Ref => {
    refs.push(ref)
    const now = scene.played.world.clock.now()
    const kind = ref.slice(0, ref.indexOf(':')) as Life['kind']
    reference.lives.set(ref, { ...newborn(), ref, kind, strengthAt: now, confidenceAt: now, ...of })
    return ref
  }
  const raws: Ref[] = []
  for (const actor of ['ann', 'bob', 'host', 'host']) {
    raws.push(born(await scene.ref({ kind: 'raw', actor, saying: unique(refs.length) })))
  }
  const [a, b, c] = raws as [Ref, Ref, Ref] // four were just made
  const tell = async (
    kind: 'note' | 'belief',
    parents: readonly Ref[],
    how: { readonly label: string } | null = null,
  ) => {
    const told = { kind, parents, saying: unique(refs.length), actor: 'bob', ...how }
    const isFirstHand = how?.label !== 'ModelDerived'
    const tier = how?.label === 'UserAsserted' ? 3 : isFirstHand ? 2 : 1
    const ref = await scene.ref(told as Parameters<Scene['ref']>[0])
    return born(ref, { parents, isFirstHand, tier })
  }
  const note = await tell('note', [a])
  const said = await tell('note', [b], USER)
  const guess = await tell('note', [a], MODEL)
  await tell('belief', [note], MODEL)
  await tell('belief', [note, guess], MODEL)
  await tell('belief', [said], USER)
  const whole = { kind: 'note', captures: ['raw'], saying: unique(99), actor: 'person' } as const
  const last = await scene.ref({ ...whole, ...USER })
  const raw = captureRef(last, 'raw', 0)
  born(raw, { capturedFor: 'person', tier: 3 })
  born(last, { parents: [raw], tier: 3 })
  if (refs.length !== MEMORIES || !c) throw new Error('as many as the steps are about')
  return { scene, reference, refs }
}

const unique = (n: number) => ({
  phrase: `All of it holds together, the ${n}. time`,
  variant: 0,
  claim: {
    predicate: 'city',
    value: 'Berlin',
    start: null,
    end: null,
    holds: null,
    cardinality: 'Functional' as const,
    criticality: 'Medium' as const,
  },
})

const newborn = () => ({
  isFirstHand: true,
  tier: 2,
  parents: [],
  capturedFor: null,
  strength: 1,
  confidence: 0.8,
  isProtected: false,
  isProtectedByModel: false,
  accesses: 0,
  verifications: 0,
  reinforcements: 0,
  counted: [],
  named: [],
  flags: [],
  isOff: false,
})

export type Lives = Awaited<ReturnType<typeof openLives>>

/** What a step means once memories have names. */
export function meant({ refs }: Pick<Lives, 'refs'>, { change, isVerified }: LifeStep): LifeChange {
  if (change.type !== 'support') return change
  const evidence = change.evidence.flatMap((each) => refs[each] ?? [])
  return { type: isVerified ? 'verify' : 'reinforce', evidence: [...new Set(evidence)] }
}

export const optionsOf = (who: Who) => ({ label: labelNamed(LABELS[who]), actor: who })

/** Lets time pass and does it, for real and in the reference. */
export async function live(lives: Lives, step: LifeStep) {
  const { scene, reference, refs } = lives
  scene.wait(step.waitDays * DAY)
  await scene.played.stack.health.correctClock() // several waits may add up to more than nine years
  const now = scene.played.world.clock.now()
  const ref = refs[step.about] as Ref // as many as MEMORIES
  const change = meant(lives, step)
  const expected = reference.change(ref, change, { who: step.who, now })
  const before = scene.entries.length
  const actual = await scene.stack.changes
    .change(ref, plain(change), 'test', optionsOf(step.who))
    .then(shown, codeOf)
  return { ref, change, expected, actual, told: scene.entries.slice(before) }
}

/** `describe` says nothing of tags here. */
export const plain = (change: LifeChange): Change =>
  (change.type === 'describe' ? { ...change, tags: null } : change) as Change // refs are those given

const shown = ({ changed, reason, flagged }: ChangeResult) => ({ changed, reason, flagged })

function codeOf(error: unknown) {
  if (!(error instanceof MunimentError) || error.code === 'invariant') throw error
  return { changed: false, reason: error.code, flagged: [] }
}

/** What production holds of a memory, in the words of the reference. */
export const lifeIn = (state: MemoryState) => ({
  strength: [state.strength.value, Date.parse(state.strength.at)],
  confidence: [state.confidence.value, Date.parse(state.confidence.at)],
  isProtected: state.isProtected,
  counts: [state.accesses, state.verifications, state.reinforcements],
  counted: [...state.anchors].sort(),
  named: [...(state.guard?.unspent ?? [])].sort(),
  isProtectedByModel: state.guard?.protectedBy === 'model',
  flags: state.flags.map(({ code, by }) => ({ code, by })),
  isOff: state.disposition === 'Superseded',
})

export const lifeOf = (life: Life) => ({
  strength: [life.strength, life.strengthAt],
  confidence: [life.confidence, life.confidenceAt],
  isProtected: life.isProtected,
  counts: [life.accesses, life.verifications, life.reinforcements],
  counted: [...life.counted].sort(),
  named: [...life.named].sort(),
  isProtectedByModel: life.isProtectedByModel,
  flags: life.flags.map(({ code, by }) => ({ code, by })),
  isOff: life.isOff,
})
