import type { Why } from '../../../../src/engine/history/why.ts'
import { hrefOf } from '../../state/router.ts'
import { useStack } from '../../state/stack.ts'
import { Badge, labelName, labelWords, When } from '../../ui/badges.tsx'
import { spaced, spoken } from '../../ui/format.ts'
import { Link } from '../../ui/link.tsx'
import { Card } from '../../ui/parts.tsx'

/** Every entry of the ledger about it: who let it in, under which rule, and every later change. */
export function Entries({ why: { changes } }: { readonly why: Why }) {
  const stack = useStack()
  return (
    <Card title="In the ledger">
      <ol class="list small">
        {changes.map(({ seq, time, op, door, label, decision, text }) => (
          <li key={seq}>
            <div class="row">
              <Link class="mono" href={hrefOf(stack, 'ledger', '', { at: seq })}>
                #{seq}
              </Link>
              <strong>{spoken(op)}</strong>
              {decision.rule !== null && <Badge>rule {decision.rule}</Badge>}
              {decision.disposition !== null && (
                <Badge>{spaced(decision.disposition).toLowerCase()}</Badge>
              )}
              {label !== null && <span class="soft">{labelWords(labelName(label))}</span>}
              {door !== null && <span class="soft">at the door {door}</span>}
              <When at={time} />
            </div>
            {decision.reasons.length > 0 && (
              <p class="soft">because: {decision.reasons.map(spoken).join(', ')}</p>
            )}
            {text !== null && <p class="words">“{text}”</p>}
          </li>
        ))}
      </ol>
    </Card>
  )
}
