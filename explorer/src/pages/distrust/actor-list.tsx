import { useActors } from '../../state/actors.ts'
import { goQuery } from '../../state/router.ts'
import { LabelBadge, RefLink, TierBadge, When } from '../../ui/badges.tsx'
import { plural } from '../../ui/format.ts'
import { Card, Empty } from '../../ui/parts.tsx'

/** Actors of recent memories, each with the newest words, to choose from. */
export function ActorList() {
  const actors = useActors()
  return (
    <Card title="Actors of the newest memories">
      {actors.length === 0 && <Empty>No memory names an actor yet.</Empty>}
      <ul class="list">
        {actors.map(({ name, memories, newest }) => (
          <li key={name} class="actor-row">
            <div class="stack">
              <div class="row">
                <strong>{name}</strong>
                <LabelBadge label={newest.provenance.label} />
                <TierBadge tier={newest.tier} />
                <span class="soft small">
                  {plural(memories, 'recent memory', 'recent memories')}
                </span>
                <When at={newest.createdAt} />
              </div>
              <RefLink of={newest.ref}>
                <span class="words one-line">{newest.text}</span>
              </RefLink>
            </div>
            <button
              type="button"
              class="btn"
              aria-label={`What would change without ${name}?`}
              onClick={() =>
                goQuery({ actor: name, session: null, door: null, ref: null }, { replace: false })
              }
            >
              Choose
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
