import type { ComponentChildren } from 'preact'
import type { Why } from '../../../../src/engine/history/why.ts'
import { labelName, RefLink } from '../../ui/badges.tsx'
import { exactly, spoken } from '../../ui/format.ts'
import { Card } from '../../ui/parts.tsx'

/** The provenance of a memory; no later change rewrites it. */
export function Certificate({ why: { memory, letInBy } }: { readonly why: Why }) {
  const { provenance: p } = memory
  const depth =
    p.depthNearest === null
      ? 'no first-hand ancestor'
      : `${p.depthNearest} nearest, ${p.depthFarthest} farthest`
  return (
    <Card title="Birth certificate">
      <p class="let-in">
        Let in by the rule <strong>{letInBy.rule ?? 'of an import'}</strong> at the door{' '}
        <strong>{letInBy.door ?? 'of this program'}</strong>, entry {letInBy.seq}.
      </p>
      <dl class="facts">
        <Fact name="Source type">{spoken(p.sourceType)}</Fact>
        <Fact name="Label">{labelName(p.label)}</Fact>
        <Fact name="Actor">{p.sourceId || '–'}</Fact>
        <Fact name="Said to come from">{p.sourceEntity}</Fact>
        <Fact name="Path">
          <code>{p.ingestionPath}</code>
        </Fact>
        <Fact name="Written">{exactly(p.timestamp)}</Fact>
        <Fact name="Happened">{p.eventTime && exactly(p.eventTime)}</Fact>
        <Fact name="Session">{p.session}</Fact>
        <Fact name="Turn">{p.turn}</Fact>
        <Fact name="Relayed">{p.relayed ? 'yes: a model reports what a person said' : null}</Fact>
        <Fact name="Captured">{p.captured ? 'yes: a capture alone proves nothing' : null}</Fact>
        <Fact name="Quotes">{p.quote && JSON.stringify(p.quote)}</Fact>
        <Fact name="Document">{p.document}</Fact>
        <Fact name="Confidence at birth">{p.confidence}</Fact>
        <Fact name="Tier at birth">{p.trustTier}</Fact>
        <Fact name="Model">{p.llmModel}</Fact>
        <Fact name="Inference hops">{depth}</Fact>
        <Fact name="Made from">
          {p.derivedFrom.length > 0 && p.derivedFrom.map((ref) => <RefList key={ref} of={ref} />)}
        </Fact>
        <Fact name="Revised from">
          {p.revisedFrom?.map((ref) => (
            <RefList key={ref} of={ref} />
          ))}
        </Fact>
        <Fact name="Content hash">
          <code>{p.contentHash}</code>
        </Fact>
        <Fact name="Policy hash">
          <code>{p.policyHash}</code>
        </Fact>
        <Fact name="Revision">{memory.version}</Fact>
      </dl>
    </Card>
  )
}

const RefList = ({ of }: { readonly of: string }) => (
  <div>
    <RefLink of={of} />
  </div>
)

/** What is not there is not listed: an empty row says nothing. */
function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  if (children === null || children === undefined || children === false || children === '')
    return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
