import type { Caller } from '../domain/doors.ts'
import { MunimentError } from '../domain/errors.ts'
import type { Kind } from '../domain/ids.ts'
import type { PlaybookBody } from '../domain/kinds/playbook.ts'
import { type BodyInputOf, definitionOf } from '../domain/kinds/table.ts'
import {
  type Attribution,
  authorStated,
  isFirstHand,
  type Label,
  label,
  type SourceType,
} from '../domain/labels.ts'
import type { RoutedPayload } from '../domain/provenance.ts'
import {
  type CaptureRequest,
  reasonCaptures,
  SAID_DIRECTLY,
  type WriteRequest,
} from '../engine/write/write-request.ts'

/** Options of a routed write; the core fills in everything else. */
export interface RouteOptions extends Attribution {
  readonly id?: string
  readonly derivedFrom?: readonly string[]
  /** The reason in words: kept as a source of its own in the same commit. */
  readonly because?: string
  /** The claimed author, in free words. Never changes the label. */
  readonly source?: string
  readonly evidence?: readonly string[]
  readonly label?: Label
  readonly sourceType?: SourceType
  readonly actor?: string
  readonly confidence?: number
  readonly eventTime?: string
  readonly document?: string
  readonly relayed?: boolean
  /** A whole sentence of a cited first-hand memory, letter for letter. */
  readonly quote?: string
  readonly trustTier?: number
  readonly session?: string
  readonly turn?: string
  /** The door of the write; the host itself when none is given. */
  readonly caller?: Caller
  /** The host's name for the operation, where the name is not the kind. */
  readonly operation?: string
  /** The capture to write in the same commit, instead of the usual one. */
  readonly captures?: readonly CaptureRequest[]
}

const ROUTE_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'derivedFrom',
  'because',
  'source',
  'evidence',
  'label',
  'observed',
  'saidBy',
  'sourceType',
  'actor',
  'confidence',
  'eventTime',
  'document',
  'relayed',
  'quote',
  'trustTier',
  'session',
  'turn',
  'caller',
  'operation',
  'captures',
] satisfies (keyof RouteOptions)[])

/** Splits a draft into the memory's own fields and the options of the write. */
export function splitFields(given: object): {
  readonly body: Readonly<Record<string, unknown>>
  readonly options: RouteOptions
} {
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  const isRoute = ([name]: readonly [string, unknown]): boolean => ROUTE_FIELDS.has(name)
  // Built from entries, so a member called __proto__ stays a member and is refused as such a member.
  return {
    body: Object.fromEntries(fields.filter((field) => !isRoute(field))),
    options: Object.fromEntries(fields.filter(isRoute)),
  }
}

export interface Router {
  readonly coreId: string
  readonly stackId: string
  /** The name of the bound model in provenance. */
  readonly modelId: string
}

/** The place of work, which a memory bears. */
export interface Place {
  readonly context?: string
  readonly contextTags?: readonly string[]
}

/** A body with the fields that the core knows; the caller's own values stay. */
export const placed = <K extends Kind>(
  kind: K,
  body: BodyInputOf<K>,
  place: Place,
): BodyInputOf<K> => (kind === 'epoch' ? body : { ...place, ...body })

export interface Routing {
  /** Names of the fields that the caller gave; the place adds others. */
  readonly given: readonly string[]
  readonly place: Place
  readonly router: Router
  readonly options: RouteOptions
  readonly caller: Caller
}

/** An Entity is an agent: the host captured a raw, and the agent concluded everything else. */
const labelByKind = (kind: Kind): Label =>
  kind === 'raw' ? label.firstHand() : label.modelDerived()

/** Kinds entered by hand; an agent derives every other kind from its memories. */
const MANUAL: ReadonlySet<Kind> = new Set(['raw', 'episode', 'note', 'epoch'])

/** The source type names the way a memory came about; only the label names the channel. */
function sourceTypeFor(kind: Kind, of: Label, options: RouteOptions): SourceType {
  if (options.sourceType) return options.sourceType
  if (options.saidBy !== undefined) return 'external'
  if (of.type === 'RecallReEntry') return 'inference'
  return MANUAL.has(kind) || isFirstHand(of) ? 'direct_experience' : 'inference'
}

/** Mastery comes from use: nobody is born an expert on a model's word. */
function assertUnused(body: object): void {
  const { timesUsed = 0, successRate = 0, masteryLevel = 'novice' } = body as Partial<PlaybookBody>
  if (timesUsed === 0 && successRate === 0 && masteryLevel === 'novice') return
  throw new MunimentError('invalid_input', 'A playbook is mastered by use, not by saying so.', {
    hint: 'await stack.usePlaybook(ref, { hasSucceeded }); or label it as what somebody met with.',
    facts: { needs: 'use' },
    issues: [{ path: 'masteryLevel', message: 'comes from use' }],
  })
}

/** A write with its whole provenance filled in, before the stack is called. */
export function routed<K extends Kind>(
  kind: K,
  body: BodyInputOf<K>,
  { router, options, caller, place, given }: Routing,
): WriteRequest<K> {
  const { label: chosen = labelByKind(kind), actor } = authorStated(options)
  if (kind === 'playbook' && !isFirstHand(chosen)) assertUnused(body)
  const isModel = chosen.type === 'ModelDerived'
  const isPerson = chosen.type === 'External' && chosen.kind === 'UserAsserted'
  const provenance = {
    sourceType: sourceTypeFor(kind, chosen, options),
    label: chosen,
    sourceId: actor ?? (isPerson ? `${router.stackId}:user` : router.coreId),
    ingestionPath: `${caller.door}:${caller.operation}`,
    confidence: options.confidence ?? definitionOf(kind).confidence,
    llmModel: isModel ? router.modelId : null,
    sourceEntity: options.source ?? null,
    derivedFrom: options.derivedFrom ?? [],
    sourceEpisodes: options.evidence ?? [],
    eventTime: options.eventTime ?? null,
    document: options.document ?? null,
    relayed: options.relayed ?? false,
    quote: options.quote ?? null,
    trustTier: options.trustTier ?? null,
    session: options.session ?? null,
    turn: options.turn ?? null,
  }
  return {
    kind,
    ...(options.id === undefined ? {} : { id: options.id }),
    body,
    given,
    provenance: provenance as RoutedPayload, // refs, times and tier are parsed by the stack
    captures: options.captures ?? capturesFor(kind, options, place),
  }
}

function capturesFor(
  kind: Kind,
  { because, derivedFrom = [] }: RouteOptions,
  place: Place,
): readonly CaptureRequest[] {
  if (because !== undefined)
    return reasonCaptures(kind, because).map((each) => placedIn(each, place))
  if (derivedFrom.length > 0 || !SAID_DIRECTLY.has(kind)) return []
  return [{ kind: 'raw', body: 'own words' }]
}

const placedIn = (capture: CaptureRequest, place: Place): CaptureRequest =>
  capture.body === 'own words'
    ? capture
    : ({ ...capture, body: { ...place, ...capture.body } } as CaptureRequest) // of its own kind
