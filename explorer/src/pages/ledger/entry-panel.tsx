import { useEffect, useState } from 'preact/hooks'
import { useOperation } from '../../state/query.ts'
import { RefLink } from '../../ui/badges.tsx'
import { exactly, shortHash } from '../../ui/format.ts'
import { Card, Empty, Shown } from '../../ui/parts.tsx'
import { type Line, lineOf } from './entries.ts'

/** One entry, byte for byte, and what an edit of it would look like. */
export function EntryPanel({ seq }: { readonly seq: number }) {
  const asked = useOperation('entries', { from: seq, limit: 2 }, { still: true })
  return (
    <Shown asked={asked}>
      {({ entries }) => {
        const [line, next] = entries.map(lineOf)
        return line && line.seq === seq ? (
          <EntryDetails key={seq} line={line} next={next ?? null} />
        ) : (
          <Empty>There is no entry {seq}.</Empty>
        )
      }}
    </Shown>
  )
}

function EntryDetails({ line, next }: { readonly line: Line; readonly next: Line | null }) {
  const { said } = line
  const [text, setText] = useState(line.entry)
  const hash = useHash(text)
  const isEdited = text !== line.entry
  const isSame = hash === line.hash
  return (
    <Card title={`Entry ${line.seq}`}>
      <dl class="facts small">
        <dt>Written</dt>
        <dd>{exactly(said.time)}</dd>
        {said.ref !== null && (
          <>
            <dt>About</dt>
            <dd>
              <RefLink of={said.ref} />
            </dd>
          </>
        )}
        {said.decision.rule !== null && (
          <>
            <dt>Rule</dt>
            <dd>{said.decision.rule}</dd>
          </>
        )}
        <dt>Names before it</dt>
        <dd>
          <code>{shortHash(said.prevHash)}</code>
        </dd>
        <dt>Recorded hash</dt>
        <dd>
          <code>{shortHash(line.hash)}</code>
        </dd>
        <dt>Hash of these bytes</dt>
        <dd>
          <code class={hash === null ? '' : isSame ? 'good' : 'bad-text'}>
            {hash === null ? '…' : shortHash(hash)} {hash === null ? '' : isSame ? '✓' : '✕'}
          </code>
        </dd>
      </dl>
      <label class="field entry-text">
        <span>
          The bytes that were hashed. Change one to see what an edit looks like when caught.
        </span>
        <textarea
          class="mono"
          rows={9}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {isEdited && (
        <div class="row spread">
          <p class={isSame ? 'good' : 'bad-text'} role="status">
            {next === null
              ? 'Its hash is another one: no proof leads to it any more.'
              : `Its hash is another one: entry ${next.seq} names ${shortHash(next.said.prevHash)}, so the chain breaks there.`}
          </p>
          <button type="button" class="btn" onClick={() => setText(line.entry)}>
            As it was
          </button>
        </div>
      )}
    </Card>
  )
}

/** SHA-256 of the leaf, as RFC 6962 has it, by the browser itself. */
function useHash(text: string): string | null {
  const [hash, setHash] = useState<string | null>(null)
  useEffect(() => {
    let isGone = false
    void leafHash(text).then((found) => !isGone && setHash(found))
    return () => {
      isGone = true
    }
  }, [text])
  return hash
}

async function leafHash(text: string): Promise<string> {
  const { hashOfEntry } = await import('../../../../src/ledger/verify/index.ts')
  return hashOfEntry(text)
}
