import type { Caller } from '../../src/domain/doors.ts'
import type { Hash, Ref } from '../../src/domain/ids.ts'
import { identityParts } from '../../src/domain/kinds/content.ts'
import { parseBody } from '../../src/domain/kinds/table.ts'
import { toInstant } from '../../src/domain/time.ts'
import type { Arrival, Command } from '../../src/domain/write.ts'
import { speakerOf } from '../../src/engine/write/arguments.ts'
import { routedDraft } from '../../src/engine/write/write-request.ts'
import type { DeskSetting } from '../../src/gate/desk.ts'
import { contentHash, tombstoneOf } from '../../src/ledger/ledger.ts'
import { type TestWorld, testSha256, testWorld } from '../support/world.ts'
import { callerOf, POLICIES, requestOf, STACK_ID } from './production.ts'
import { bodyOf } from './sayings.ts'
import type { GateDraft, History, PolicyName, Step } from './steps.ts'

export const TOMBSTONE_KEY = new Uint8Array(32).fill(7)

export const TOOLS = { sha256: testSha256, tombstoneKey: () => TOMBSTONE_KEY }

export const settingFor = (genesis: PolicyName): DeskSetting => ({
  stackId: STACK_ID,
  sha256: testSha256,
  genesisPolicy: POLICIES[genesis],
  genesisPolicyHash: contentHash(testSha256, POLICIES[genesis]),
  enforcement: { wanted: true, seen: true },
  replica: null,
})

/** The commands of a history as its sequencer gets them: each has its arrival already. */
export function commandsOf({ steps }: History): readonly Command[] {
  const world = testWorld()
  const marks = new Map<Ref, Hash>()
  return steps.flatMap((step) => {
    world.clock.advance({ ms: step.waitMs })
    // A read is no command, and what is overruled was read before.
    if (step.type === 'serve' || step.type === 'overrule') return []
    return [commandOf(step, world, marks)]
  })
}

function commandOf(
  step: Exclude<Step, { type: 'serve' | 'overrule' }>,
  world: TestWorld,
  marks: Map<Ref, Hash>,
): Command {
  if (step.type === 'write') {
    for (const draft of step.drafts) noteMarks(draft, marks)
    return { type: 'write', drafts: step.drafts.map((draft) => arrivedOf(draft, world)) }
  }
  if (step.type === 'doubt') return doubtOf(step, arrivalIn(world))
  const act = { actor: `${STACK_ID}:host`, caller: callerOf(step.by), arrival: arrivalIn(world) }
  switch (step.type) {
    case 'state':
      return { type: 'state', to: step.to, from: null, ...act }
    case 'policy': {
      const policy = POLICIES[step.name]
      return { type: 'policy', policy, policyHash: contentHash(testSha256, policy), ...act }
    }
    case 'clock':
      return { type: 'clock', ...act }
    case 'reject':
      return { type: 'reject', ref: step.ref, mark: marks.get(step.ref) ?? NO_MARK, ...act }
  }
}

function doubtOf({ on, what, by }: Extract<Step, { type: 'doubt' }>, arrival: Arrival): Command {
  const meant =
    'ref' in what
      ? ({ type: 'memory', ref: what.ref } as const)
      : ({ type: what.origin, name: what.name } as const)
  const speaker = speakerOf(STACK_ID, 'test', { caller: callerOf(by) })
  return { type: 'distrust', on, what: meant, basis: 'other', text: null, ...speaker, arrival }
}

const arrivalIn = ({ clock, random }: TestWorld): Arrival => ({
  time: toInstant(clock.now()),
  bytes: random(32),
})

const NO_MARK = 'f'.repeat(64) as Hash // for a memory that does not exist

function arrivedOf(draft: GateDraft, world: TestWorld) {
  const arrival = arrivalIn(world)
  const request = requestOf(draft, world.clock.now())
  const caller: Caller = callerOf(draft, draft.grant)
  const at = { world: { ids: world.ids, sha256: testSha256 }, arrival }
  return { draft: routedDraft(request, caller, at), arrival }
}

/** What a person's no to each of a draft's memories would keep out. */
function noteMarks({ ref, kind, saying, actor, captures }: GateDraft, marks: Map<Ref, Hash>): void {
  const said = [
    { ref, kind, body: bodyOf(kind, saying) },
    ...captures.map((capture) => ({ ...capture, body: { content: capture.phrase } })),
  ]
  for (const item of said) {
    const identity = identityParts(item.kind, parseBody(item.kind, item.body))
    const what = { kind: item.kind, actor, identity }
    marks.set(item.ref, tombstoneOf(testSha256, TOMBSTONE_KEY, what))
  }
}
