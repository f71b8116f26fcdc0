import { useOperation } from '../../state/query.ts'
import { count, plural } from '../../ui/format.ts'
import { Card, Empty, Shown } from '../../ui/parts.tsx'

const SHOWN_MAX = 20

/** Heads that were signed: kept elsewhere, each catches any later rewrite of what it covers. */
export function Heads() {
  const asked = useOperation('heads', {})
  return (
    <Card title="Signed heads">
      <Shown asked={asked}>
        {({ heads, key }) =>
          heads.length === 0 ? (
            <Empty>No head was signed yet.</Empty>
          ) : (
            <>
              <ul class="list small">
                {heads
                  .slice(-SHOWN_MAX)
                  .reverse()
                  .map((note) => {
                    const [, size = '', root = ''] = note.split('\n')
                    return (
                      <li key={note} class="row spread">
                        <span>{plural(Number(size), 'entry', 'entries')}</span>
                        <code class="soft">{root.slice(0, 20)}…</code>
                      </li>
                    )
                  })}
              </ul>
              {heads.length > SHOWN_MAX && (
                <p class="soft small">and {count(heads.length - SHOWN_MAX)} older</p>
              )}
              <p class="small soft">
                Key <code>{key}</code>
              </p>
            </>
          )
        }
      </Shown>
    </Card>
  )
}
