import type { Ref } from '../../domain/ids.ts'
import { labelName } from '../../domain/labels.ts'
import type { Provenance } from '../../domain/provenance.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { type Check, must, type Step } from './check.ts'
import { wordsOf } from './check-memories.ts'
import { refOf } from './intents.ts'
import type { WriteOutcome } from './perform.ts'

/** Acknowledged memories, which must be readable forever. */
export class Acknowledged {
  readonly #words = new Map<Ref, { readonly body: string; readonly provenance: string }>()
  /** Read in rotation, so that the cost of a step does not grow with the history. */
  #turn: Ref[] = []

  /** Notes the new ones, then reads a few of the old ones again (STORE-ACKED, PROV-FIXED). */
  readonly check: Check = async (step) => {
    for (const told of step.performed.told) await this.#note(step, told)
    if (this.#turn.length === 0) this.#turn = [...this.#words.keys()]
    for (const ref of this.#turn.splice(0, 5)) await this.#read(step, ref)
  }

  /** Reads every acknowledged memory, at the end. */
  async checkAll(step: Step): Promise<number> {
    for (const ref of this.#words.keys()) await this.#read(step, ref)
    return this.#words.size
  }

  async #note(step: Step, { intent, result }: WriteOutcome): Promise<void> {
    if (!result?.ref || result.ref !== refOf(intent)) return
    const memory = await this.#get(step, result.ref)
    must(memory !== null, `${result.ref} was acknowledged and is not there`)
    if (!memory) return
    const { request } = intent
    must(canonicalize(memory.body) === wordsOf(request), `${result.ref} says something else`)
    const said = memory.provenance as Provenance // the members committed to, and computed ones
    must(said.sourceId === intent.agent, `${result.ref} is said to be another's`)
    must(
      labelName(said.label) === labelName(request.provenance.label),
      `${result.ref} has another label`,
    )
    this.#words.set(result.ref, {
      body: canonicalize(memory.body),
      provenance: canonicalize(memory.provenance),
    })
  }

  async #read(step: Step, ref: Ref): Promise<void> {
    if (step.after.byRef.get(ref)?.erased) {
      this.#words.delete(ref)
      return
    }
    const memory = await this.#get(step, ref)
    const words = this.#words.get(ref)
    must(memory !== null, `${ref} was acknowledged and is lost`)
    must(canonicalize(memory?.body) === words?.body, `${ref} has other words than before`)
    must(
      canonicalize(memory?.provenance) === words?.provenance,
      `${ref} has other papers than before`,
    )
  }

  #get({ sim }: Step, ref: Ref) {
    const [kind, id] = ref.split(':') as [never, string] // a ref is kind and id
    return sim.steady.getMemory(kind, id)
  }
}

/** Lies end as they must; maintenance never changes a memory. */
export const liesComeToNothing: Check = ({ before, after, performed }) => {
  for (const { intent, result, error } of performed.told) {
    if (before.stack.state === 'MAINTENANCE') {
      must(error !== null, `maintenance took a ${intent.request.kind}`)
      continue
    }
    const { mustEnd } = intent
    if (mustEnd?.in === 'error') {
      must(
        error !== null && mustEnd.codes.includes(error.code),
        `a lie of ${intent.agent} ended in ${error?.code ?? result?.disposition}`,
      )
    }
    if (mustEnd?.in === 'refusal') {
      must(
        result?.rule === mustEnd.rule && result.ref === null,
        `a lie of ${intent.agent} ended in ${error?.code ?? `${result?.rule} ${result?.ref}`}`,
      )
    }
  }
  if (before.stack.state === 'MAINTENANCE' && performed.act.type === 'writes') {
    must(after.entries.length === before.entries.length, 'maintenance wrote an entry')
  }
}

/** After a fault the same write, made again, ends as if there had been none: kept once. */
export const retriesAreIdempotent: Check = ({ performed }) => {
  for (const { intent, error, isRetry } of performed.told) {
    if (!isRetry || intent.mustEnd) continue
    const isAnswer = error === null || error.code === 'maintenance_mode'
    must(isAnswer, `a write made again after a fault ended in ${error?.code}`)
  }
}

/** An answer never names a memory that was kept under another name. */
export const answersNameMemories: Check = ({ after, performed }) => {
  for (const { result } of performed.told) {
    if (result?.ref) must(after.byRef.has(result.ref), `${result.ref} is answered and not there`)
    for (const ref of result?.captures ?? []) {
      must(after.byRef.has(ref), `${ref} was captured and is not there`)
    }
    if (result?.ref === null) must(result.disposition === 'Rejected', 'no ref, yet not refused')
  }
}
