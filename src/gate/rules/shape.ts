import {
  type FieldIssue,
  LimitError,
  MunimentError,
  ProvenanceError,
  VersionConflictError,
} from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { labelName, pairMakesSense } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type MemoryState, parentsAtBirth } from '../../domain/state.ts'
import { toMs } from '../../domain/time.ts'
import type { Case, Rule, Verdict } from '../case.ts'
import type { Desk } from '../desk.ts'
import type { Candidate, Stamped } from '../stamp.ts'

/** Hashes, policy, certificate and id agree with each other and with the stack. */
export const shape: Rule = {
  name: 'shape',
  judge: (c) => judgeCertificate(c) ?? judgeTombstoneKey(c) ?? judgeId(c),
}

const fail = (error: MunimentError): Verdict => ({ type: 'error', error })

function judgeCertificate(c: Case): Verdict | undefined {
  const issues = [...issuesOfHashes(c), ...issuesOfOrigin(c)]
  if (issues.length === 0) return undefined
  const fields = issues.map((issue) => issue.path).join(', ')
  return fail(
    new ProvenanceError('invalid_provenance', `Provenance is not valid: ${fields}.`, {
      issues,
      hint: `${fields.includes('Hash') ? CERTIFY : ''}Nothing was stored.`,
    }),
  )
}

const CERTIFY = 'stack.control.certify(kind, body) gives the hashes. '

function issuesOfHashes({ candidate, desk, policy, time }: Case): readonly FieldIssue[] {
  const { supplied } = candidate.draft
  const issues: FieldIssue[] = []
  if (supplied.contentHash !== null && supplied.contentHash !== candidate.main.contentHash) {
    issues.push({ path: 'contentHash', message: 'is not the hash of the body as stored' })
  }
  if (supplied.policyHash !== null && supplied.policyHash !== desk.policyHash) {
    issues.push({ path: 'policyHash', message: `the policy in force is ${desk.policyHash}` })
  }
  if (supplied.timestamp !== null) {
    const ahead = toMs(supplied.timestamp) - toMs(time)
    if (ahead > policy.numbers.clockSkewMaxMs) {
      issues.push({ path: 'timestamp', message: 'lies ahead of the clock' })
    }
  }
  return issues
}

function issuesOfOrigin({ candidate }: Case): readonly FieldIssue[] {
  const { label, sourceType, llmModel } = candidate.draft.origin
  const name = labelName(label)
  const issues: FieldIssue[] = []
  if (!pairMakesSense(name, sourceType)) {
    issues.push({ path: 'sourceType', message: `${sourceType} makes no sense with ${name}` })
  }
  if ((name === 'ModelDerived') !== (llmModel !== null)) {
    const means = llmModel === null ? 'needed when a model' : 'null when no model'
    issues.push({ path: 'llmModel', message: `is ${means} made the memory` })
  }
  return issues
}

/** Without the key, the gate cannot check whether the words were erased, and refuses them. */
function judgeTombstoneKey(c: Case): Verdict | undefined {
  const { tombstones, uid } = c.desk.stack
  if (tombstones === 0 || c.candidate.marks().length > 0) return undefined
  return fail(
    new MunimentError(
      'tombstone_key_missing',
      'This stack holds tombstones, and the key that checks them is not here.',
      {
        hint: `Bring the file keys/${uid} from the home folder where the stack was last written.`,
        facts: { uid },
      },
    ),
  )
}

function judgeId({ candidate, desk, lineage }: Case): Verdict | undefined {
  const { main, captures, draft } = candidate
  const gone = [main, ...captures].find(({ ref }) => desk.memory(ref)?.erased)
  if (gone) return fail(idErased(gone.ref))
  const memory = desk.memory(main.ref)
  // A revision that cites a missing memory is refused, even if nothing else is new.
  const isFaulty = draft.revises !== null && lineage.problems.length > 0
  const isKnown = memory && isSame(memory, candidate, lineage.derivedFrom)
  if (isKnown && !isFaulty && areKept(captures, desk)) return { type: 'present', memory }
  const taken = captures.find(({ ref, contentHash }) => {
    const there = desk.memory(ref)
    return there && there.contentHash !== contentHash
  })
  if (taken) return fail(idExists(taken.ref))
  if (draft.revises) {
    if (!memory) return fail(new MunimentError('not_found', `${main.ref} does not exist.`))
    const { expectedVersion } = draft.revises
    if (expectedVersion !== null && expectedVersion !== memory.revision) {
      return fail(new VersionConflictError(main.ref, expectedVersion, memory.revision))
    }
    const added = lineage.derivedFrom.length - parentsAtBirth(memory).length
    if (added <= LIMITS.parentsMax) return undefined
    return fail(new LimitError('parentsMax', LIMITS.parentsMax, added))
  }
  return memory ? fail(idExists(main.ref)) : undefined
}

const isSame = (memory: MemoryState, { main, draft }: Candidate, cited: readonly Ref[]): boolean =>
  memory.contentHash === main.contentHash &&
  memory.label === labelName(draft.origin.label) &&
  memory.sourceId === draft.origin.sourceId &&
  memory.parents.join() === cited.join()

/** A capture revised since then no longer matches by content, so its ref has to suffice. */
const areKept = (captures: readonly Stamped[], desk: Desk): boolean =>
  captures.every(({ ref, contentHash }) => {
    const there = desk.memory(ref)
    return there && (there.revision > 1 || there.contentHash === contentHash)
  })

const idErased = (ref: string): MunimentError =>
  new MunimentError('id_erased', `${ref} was erased, and its id is not given again.`, {
    hint: 'Save without an id.',
    facts: { ref },
  })

const idExists = (ref: string): MunimentError =>
  new MunimentError('id_exists', `${ref} exists and says something else.`, {
    hint: 'Save without an id, or revise the memory that is there.',
    facts: { ref },
  })
