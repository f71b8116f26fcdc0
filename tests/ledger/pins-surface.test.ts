import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import * as surface from '../../src/index.ts'
import { OPERATIONS } from '../../src/protocol/operations.ts'
import { AUDIT_CODES } from '../../src/stack/audit-codes.ts'
import { readProjectFile } from '../support/project-files.ts'
import { parse } from '../support/source.ts'

/** Someone outside matches on each of these: one may join, none may go or be called otherwise. */
describe('names that others rely on', () => {
  test('the codes of errors', () => {
    expect(surface.ERROR_CODES).toEqual(ERROR_NAMES)
  })

  test('the codes of an audit', () => {
    expect(AUDIT_CODES).toEqual(AUDIT_NAMES)
  })

  test('the operations of every door', () => {
    expect(Object.keys(OPERATIONS)).toEqual(OPERATION_NAMES)
  })

  test('what the package exports, types too', () => {
    expect(exportedNames('src/index.ts')).toEqual(EXPORTED_NAMES)
  })

  test('what the package exports is there when the program runs', () => {
    const values = EXPORTED_NAMES.filter((name) => !name.startsWith('type '))
    expect(Object.keys(surface).sort()).toEqual(values.sort())
  })
})

function exportedNames(path: string): string[] {
  const { statements } = parse({ path, text: readProjectFile(path) })
  return statements.flatMap(namesIn).sort()
}

/** A statement that exports in any other way shows up as itself, and not in the list. */
function namesIn(statement: ts.Statement): string[] {
  const isNamed = ts.isExportDeclaration(statement) && statement.exportClause !== undefined
  if (!isNamed || !ts.isNamedExports(statement.exportClause)) return [statement.getText()]
  return statement.exportClause.elements.map(({ isTypeOnly, name }) =>
    statement.isTypeOnly || isTypeOnly ? `type ${name.text}` : name.text,
  )
}

const ERROR_NAMES = [
  'invalid_input',
  'invalid_json',
  'invalid_id',
  'invalid_ref',
  'invalid_provenance',
  'not_canonical',
  'invalid_bundle',
  'limit_exceeded',
  'refused',
  'maintenance_mode',
  'version_conflict',
  'id_exists',
  'id_erased',
  'scope',
  'not_found',
  'stack_not_empty',
  'no_active_stack',
  'policy_differs',
  'enforcement_changed',
  'session_expired',
  'tombstone_key_missing',
  'stack_closed',
  'backpressure',
  'store_unavailable',
  'store_full',
  'store_read_only',
  'store_corrupt',
  'store_busy',
  'schema_newer',
  'embedder_unavailable',
  'data_loss',
  'invariant',
]

const AUDIT_NAMES = [
  'entry.missing',
  'entry.unreadable',
  'entry.hash',
  'entry.chain',
  'entry.stray',
  'entry.unknown',
  'entry.operation',
  'entry.place',
  'entry.time',
  'entry.policy',
  'head.mismatch',
  'head.foreign',
  'head.rollback',
  'head.rewritten',
  'root.mismatch',
  'sealed.missing',
  'sealed.stray',
  'sealed.ref',
  'sealed.unreadable',
  'commitment.mismatch',
  'content.mismatch',
  'certificate.mismatch',
  'parent.missing',
  'parent.later',
  'birth.twice',
  'revision.gap',
  'actor.mismatch',
  'row.missing',
  'row.stray',
  'row.mismatch',
  'state.mismatch',
]

const OPERATION_NAMES = [
  'raw',
  'episode',
  'note',
  'claim',
  'belief',
  'goal',
  'relationship',
  'value',
  'drive',
  'playbook',
  'summary',
  'self_narrative',
  'epoch',
  'search',
  'load',
  'list',
  'show',
  'why',
  'trace',
  'impact',
  'stats',
  'audit',
  'dump',
  'history',
  'diff',
  'uncertain',
  'contradictions',
  'ungrounded',
  'checkpoint',
  'prove',
  'forget',
  'recover',
  'protect',
  'weaken',
  'access',
  'describe',
  'verify',
  'reinforce',
  'supersede',
  'review',
  'trust',
  'promote',
  'maintain',
  'import',
  'state',
]

const EXPORTED_NAMES = [
  'DISPOSITIONS',
  'ERROR_CODES',
  'Entity',
  'InvariantError',
  'KINDS',
  'LIMITS',
  'LimitError',
  'MaintenanceModeError',
  'MemoryStore',
  'MunimentError',
  'NoActiveStackError',
  'ProvenanceError',
  'RefusedError',
  'SOURCE_TYPES',
  'ScopeError',
  'VersionConflictError',
  'anxietyComponent',
  'consolidationComponent',
  'defaultComponents',
  'defaultPolicy',
  'embeddingComponent',
  'emotionsComponent',
  'forgettingComponent',
  'knowledgeComponent',
  'label',
  'metamemoryComponent',
  'openStack',
  'restoreStack',
  'suggestionsComponent',
  'type Accepted',
  'type AsOf',
  'type AuditCode',
  'type AuditProblem',
  'type AuditReport',
  'type BeliefVersion',
  'type BodyInputOf',
  'type BodyOf',
  'type Caller',
  'type ChangeResult',
  'type CheckpointShelf',
  'type ComponentHost',
  'type ComponentMemory',
  'type Contradicting',
  'type Diff',
  'type Difference',
  'type Disposition',
  'type Door',
  'type Dump',
  'type EntityOptions',
  'type ErrorCode',
  'type ExplainOptions',
  'type FieldIssue',
  'type Fields',
  'type Hash',
  'type HookErrors',
  'type ImportOptions',
  'type ImportRefusal',
  'type ImportReport',
  'type InferOptions',
  'type InferencePort',
  'type Kind',
  'type Label',
  'type LabelName',
  'type LabelTiers',
  'type LifecycleState',
  'type LineageStep',
  'type Loaded',
  'type LoadedItem',
  'type Memory',
  'type MemoryId',
  'type NumberChange',
  'type OpenOptions',
  'type Policy',
  'type ProvedReceipt',
  'type Provenance',
  'type ProvenancePayload',
  'type Receipt',
  'type Receipts',
  'type RecordKind',
  'type Ref',
  'type RelationshipEvent',
  'type RestoreStackOptions',
  'type ReviewAnswer',
  'type ReviewItem',
  'type RouteOptions',
  'type RuleName',
  'type SaveEvent',
  'type SaveRecord',
  'type SearchQuery',
  'type SearchResult',
  'type SignedCheckpoint',
  'type Signer',
  'type SourceType',
  'type Stack',
  'type StackComponent',
  'type StackId',
  'type StackProtocol',
  'type Stats',
  'type Store',
  'type Suggestion',
  'type Tier',
  'type Trust',
  'type TrustAssessment',
  'type Uncertain',
  'type UnchangedReason',
  'type Why',
  'type WriteRequest',
  'type WriteResult',
]
