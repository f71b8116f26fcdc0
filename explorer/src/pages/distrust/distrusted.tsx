import { useOperation } from '../../state/query.ts'
import { goQuery } from '../../state/router.ts'
import { When } from '../../ui/badges.tsx'
import { plural } from '../../ui/format.ts'
import { Card, Empty, Shown } from '../../ui/parts.tsx'

/** Whom nothing is believed of at present. */
export function Distrusted() {
  const asked = useOperation('distrust', {})
  return (
    <Card title="Distrusted now">
      <Shown asked={asked}>
        {(result) =>
          'origins' in result && result.origins.length > 0 ? (
            <ul class="list">
              {result.origins.map(({ origin, name, basis, since, memories, entry }) => (
                <li key={entry} class="row spread">
                  <span>
                    {origin} <strong>{name ?? '(name erased)'}</strong>{' '}
                    <span class="soft small">
                      {basis}, {plural(memories, 'memory', 'memories')}, <When at={since} />
                    </span>
                  </span>
                  {name !== null && (
                    <button
                      type="button"
                      class="btn"
                      onClick={() =>
                        goQuery({
                          actor: null,
                          session: null,
                          door: null,
                          ref: null,
                          [origin]: name,
                        })
                      }
                    >
                      Open
                    </button>
                  )}
                </li>
              ))}
            </ul>
          ) : (
            <Empty>No source is distrusted.</Empty>
          )
        }
      </Shown>
    </Card>
  )
}
