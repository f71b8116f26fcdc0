import type { Decision, Entry, ParentLink } from '../domain/entry.ts'
import type { Label } from '../domain/labels.ts'
import type { Provenance } from '../domain/provenance.ts'
import { canonicalize } from './canonical.ts'

// Canonical text of the two records that every write makes, with their members already in order. A
// test compares each with the general writer on every possible shape. Strings were checked to be
// well-formed on arrival, so JSON.stringify writes them as RFC 8785 asks.

const text = JSON.stringify
const maybe = (value: string | null): string => (value === null ? 'null' : text(value))
const quoted = (value: string | null): string => (value === null ? 'null' : `"${value}"`)
const refs = (list: readonly string[]): string =>
  list.length === 0 ? '[]' : `["${list.join('","')}"]`

const labelText = (label: Label | null): string => {
  if (label === null) return 'null'
  return label.type === 'External'
    ? `{"kind":"${label.kind}","type":"External"}`
    : `{"type":"${label.type}"}`
}

/** Ids, hashes and times hold no character that JSON escapes. */
export const provenanceText = (of: Provenance): string =>
  `{"captured":${of.captured},"confidence":${of.confidence},"contentHash":"${of.contentHash}"` +
  `,"depthFarthest":${of.depthFarthest},"depthNearest":${of.depthNearest}` +
  `,"derivedFrom":${refs(of.derivedFrom)},"document":${maybe(of.document)}` +
  `,"eventTime":${quoted(of.eventTime)},"ingestionPath":${text(of.ingestionPath)}` +
  `,"label":${labelText(of.label)},"llmModel":${maybe(of.llmModel)},"policyHash":"${of.policyHash}"` +
  `,"quote":${of.quote === null ? 'null' : canonicalize(of.quote)},"relayed":${of.relayed}` +
  (of.revisedFrom === undefined ? '' : `,"revisedFrom":${refs(of.revisedFrom)}`) +
  `,"session":${maybe(of.session)},"sourceEntity":${maybe(of.sourceEntity)}` +
  `,"sourceEpisodes":${refs(of.sourceEpisodes)},"sourceId":${text(of.sourceId)}` +
  `,"sourceType":"${of.sourceType}","timestamp":"${of.timestamp}","trustTier":${of.trustTier}` +
  `,"turn":${maybe(of.turn)}}`

const parentText = ({ ref, seq }: ParentLink): string => `{"ref":"${ref}","seq":${seq}}`

const decisionText = ({ disposition, facts, reasons, rule }: Decision): string =>
  `{"disposition":${quoted(disposition)},"facts":${canonicalize(facts)}` +
  `,"reasons":${canonicalize(reasons)},"rule":${quoted(rule)}}`

export const entryText = (of: Entry): string =>
  `{"actor":${quoted(of.actor)},"commitment":${quoted(of.commitment)}` +
  `,"decision":${decisionText(of.decision)},"door":${quoted(of.door)},"label":${labelText(of.label)}` +
  `,"op":"${of.op}","parents":[${of.parents.map(parentText).join()}],"policy":${quoted(of.policy)}` +
  `,"prevHash":"${of.prevHash}","ref":${quoted(of.ref)},"replica":"${of.replica}"` +
  `,"revision":${of.revision},"seq":${of.seq},"stack":"${of.stack}","tier":${of.tier}` +
  `,"time":"${of.time}","unit":${of.unit},"v":1}`
