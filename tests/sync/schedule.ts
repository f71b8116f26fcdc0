import { Entity } from '../../src/agent/entity.ts'
import { memorySyncShelf } from '../../src/compose/sync/sync-ports.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { KINDS, type RecordKind, type Ref } from '../../src/domain/ids.ts'
import { NOTHING_SYNCED, type Remote, type SyncShelf } from '../../src/ports/remote.ts'
import { type Dice, seededDice } from '../../src/testing/world.ts'
import { type MemoryRemote, memoryRemote, pairAll, type Replica, replica } from './support.ts'

/** A fault that stands for a crash or a lost connection. */
class Cut extends Error {}

/** Fails now and then, before or after the call took effect. */
function flaky(remote: Remote, dice: Dice, cuts: { share: number }): Remote {
  const cut = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dice.isLucky(cuts.share)) throw new Cut()
    const done = await work()
    if (dice.isLucky(cuts.share)) throw new Cut()
    return done
  }
  return {
    address: remote.address,
    list: (prefix) => cut(() => remote.list(prefix)),
    get: (name) => cut(() => remote.get(name)),
    putNew: (name, bytes) => cut(() => remote.putNew(name, bytes)),
    delete: (name) => cut(() => remote.delete(name)),
  }
}

/** A state that is lost now and then with its process; the trust of a person stays. */
function flakyShelf(dice: Dice, cuts: { share: number }): SyncShelf & { rewind(): Promise<void> } {
  const shelf = memorySyncShelf()
  return {
    read: shelf.read,
    async write(state) {
      if (dice.isLucky(cuts.share)) throw new Cut()
      await shelf.write(state)
      if (dice.isLucky(cuts.share)) throw new Cut()
    },
    async rewind() {
      const { peers } = await shelf.read()
      const anew = Object.entries(peers).map(([name, { key, trust }]) => {
        const peer = { tree: { size: 0, hashes: [] }, waiting: [], acks: {}, problem: null }
        return [name, { ...peer, key, trust }] as const
      })
      await shelf.write({ ...NOTHING_SYNCED, peers: Object.fromEntries(anew) })
    },
  }
}

interface Member extends Replica {
  readonly shelf: ReturnType<typeof flakyShelf>
  readonly me: Entity
  /** Memories that a call answered for, less those erased. */
  readonly acknowledged: Set<Ref>
}

export interface Lived {
  readonly members: readonly Member[]
  readonly remote: MemoryRemote
  readonly acknowledged: ReadonlySet<Ref>
  readonly erasedWords: readonly string[]
  readonly met: ReadonlySet<string>
}

const SUBJECTS = ['anna', 'bert'] as const
const PREDICATES = ['city', 'colour'] as const
const VALUES = ['Berlin', 'Rome', 'Oslo'] as const
const ACTORS = ['anna', 'bert'] as const

/** Three replicas live apart, with skewed clocks and cut connections, and then meet. */
export async function live(seed: number, steps: number): Promise<Lived> {
  const dice = seededDice(seed)
  const remote = memoryRemote()
  const cuts = { share: 0 }
  const members: Member[] = []
  for (const index of [1, 2, 3]) {
    const shelf = flakyShelf(dice, cuts)
    const one = await replica(seed * 10 + index, flaky(remote, dice, cuts), shelf)
    one.clock.advance({ minutes: dice.roll(1_800) - 900 }) // up to 30 hours apart
    const me = new Entity('agent')
    await me.attachStack(one.stack)
    members.push({ ...one, me, shelf, acknowledged: new Set() })
  }
  for (const { me } of members) await me.note('born')
  await pairAll(members.map(({ stack }) => stack))
  cuts.share = dice.pick([0, 0.02, 0.1])
  const life = new Life(members, dice)
  for (let step = 0; step < steps; step += 1) await life.step(step)
  cuts.share = 0
  for (let round = 0; round < 4; round += 1) {
    for (const { stack, clock } of members) {
      clock.advance({ minutes: 400 }) // no entry lies ahead of any clock any more
      const { errors } = await stack.sync()
      if (errors.length > 0) throw new Error(`seed ${seed}: ${errors.join(' ')}`)
    }
  }
  const gone = life.erased
  const all = members.flatMap(({ acknowledged }) => [...acknowledged])
  const acknowledged = new Set(all.filter((ref) => !gone.has(ref)))
  return { members, remote, acknowledged, erasedWords: life.erasedWords, met: life.met }
}

class Life {
  readonly #members: readonly Member[]
  readonly #dice: Dice
  readonly erased = new Set<Ref>()
  readonly erasedWords: string[] = []
  readonly met = new Set<string>()

  constructor(members: readonly Member[], dice: Dice) {
    this.#members = members
    this.#dice = dice
  }

  async step(step: number): Promise<void> {
    const dice = this.#dice
    const member = dice.pickAny(this.#members)
    if (!member) return
    for (const { clock } of this.#members) clock.advance({ ms: dice.roll(3) * 60_000 })
    const deed = dice.pick([
      'say',
      'say',
      'note',
      'drive',
      'change',
      'change',
      'sync',
      'sync',
      'sync',
      'erase',
      'rewind',
    ])
    try {
      await this.#do(deed, member, step)
      this.met.add(deed)
    } catch (cause) {
      if (cause instanceof Cut) this.met.add('cut')
      else if (!(cause instanceof MunimentError) || !EXPECTED.has(cause.code)) throw cause
    }
  }

  async #do(deed: string, member: Member, step: number): Promise<void> {
    const dice = this.#dice
    const { stack, me, acknowledged } = member
    switch (deed) {
      case 'say': {
        const [who, what, value] = [dice.pick(SUBJECTS), dice.pick(PREDICATES), dice.pick(VALUES)]
        const said = await stack.claims.remember(who, what, value, { actor: dice.pick(ACTORS) })
        if (said.claimRef) acknowledged.add(said.claimRef)
        return
      }
      case 'note':
        acknowledged.add((await me.note(`secret ${step} of ${dice.roll(1_000_000)}`)).ref)
        return
      case 'drive': {
        const [known] = await stack.getDrives()
        if (known && dice.isLucky(0.7)) {
          const derivedFrom = known.provenance.derivedFrom
          const intensity = dice.roll(100) / 100
          await stack.updateDriveAtomic({
            id: known.id,
            driveType: 'growth',
            intensity,
            derivedFrom,
          })
          this.met.add('revise')
          return
        }
        const { ref } = await me.drive('growth', { intensity: 0.5, because: `of ${step}` })
        acknowledged.add(ref)
        return
      }
      case 'change':
        return this.#change(member)
      case 'erase': {
        const [note] = dice.isLucky(0.5) ? await stack.list('note', { limit: 1 }) : []
        if (note === undefined || note.text === 'born') return
        const { erased } = await stack.erasure.erase(note.ref, { derived: 'erase' })
        for (const ref of erased) this.erased.add(ref)
        this.erasedWords.push(note.text)
        return
      }
      case 'rewind':
        return member.shelf.rewind()
      default:
        await stack.sync()
    }
  }

  async #change({ stack }: Member): Promise<void> {
    const dice = this.#dice
    const kind = dice.pick<RecordKind>(['claim', 'note', 'drive'])
    const found = await stack.list(kind, { includeForgotten: true, includeSetAside: true })
    const one = dice.pickAny(found)
    if (!one) return
    const { ref, id } = one
    const word = dice.pick(['forget', 'recover', 'protect', 'weaken', 'retract', 'end', 'reopen'])
    switch (word) {
      case 'forget':
        await stack.forgetMemory(kind, id, 'enough')
        break
      case 'recover':
        await stack.recoverMemory(kind, id)
        break
      case 'protect':
        await stack.protectMemory(kind, id, dice.isLucky(0.5))
        break
      case 'weaken':
        await stack.changes.weaken(ref, 0.2)
        break
      case 'retract':
        if (kind === 'claim') await stack.claims.retract(ref)
        break
      case 'end':
        if (kind === 'claim') await stack.claims.end(ref)
        break
      case 'reopen':
        if (kind === 'claim') await stack.claims.reopen(ref)
    }
  }
}

/** A deed that the rules refuse is no fault of the sync. */
const EXPECTED: ReadonlySet<string> = new Set([
  'refused',
  'invalid_input',
  'not_found',
  'version_conflict',
  'invalid_provenance',
  'id_erased',
])

/** All lists and answers of a replica, without pointers into its own ledger. */
export async function answersOf({ stack }: Pick<Member, 'stack'>): Promise<unknown> {
  const lists: Record<string, unknown> = {}
  for (const kind of KINDS) {
    const memories = await stack.list(kind, {
      includeForgotten: true,
      includeSetAside: true,
      limit: 1_000,
    })
    lists[kind] = memories.map(({ entry: _, flags: _flags, review: _review, ...memory }) => ({
      ...memory,
      confidenceHistory: memory.confidenceHistory.map(({ seq: _seq, ...move }) => move),
    }))
  }
  const answers: unknown[] = []
  for (const subject of SUBJECTS) {
    for (const predicate of PREDICATES) answers.push(await stack.claims.ask({ subject, predicate }))
  }
  return { lists, answers }
}
