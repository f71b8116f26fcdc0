import { useState } from 'preact/hooks'
import { DISTRUST_BASES, type DistrustBasis } from '../../../../src/domain/distrust.ts'
import { DOORS } from '../../../../src/domain/doors.ts'
import { call } from '../../api/client.ts'
import { refresh } from '../../state/live.ts'
import { useOperation } from '../../state/query.ts'
import { goQuery, usePlace } from '../../state/router.ts'
import { useMayAct, useStack } from '../../state/stack.ts'
import { plural } from '../../ui/format.ts'
import { Card, PageHead } from '../../ui/parts.tsx'
import { say, sayError } from '../../ui/toasts.tsx'
import { Distrusted } from './distrusted.tsx'
import { type Doubt, doubtIn, KINDS, type Named, named } from './doubt.ts'
import { Preview } from './preview.tsx'

const HINTS: Readonly<Record<Named, string>> = {
  actor: 'Who handed it in, as provenance names it',
  session: 'The session it was written in',
  door: 'The door it came through',
  ref: 'Its reference',
}

const EXAMPLES: Readonly<Record<Exclude<Named, 'door'>, string>> = {
  actor: 'web-page-reader',
  session: 'release-week',
  ref: 'belief:4a7c …',
}

const MET_LATELY = 200 // memories whose origins are offered

/** Whom or what to believe no longer: what that would change, first; then it is done, and undone. */
export function Distrust() {
  const { query } = usePlace()
  const doubt = doubtIn(query)
  return (
    <>
      <PageHead title="Distrust">
        <p>
          What would change if somebody were not believed. Nothing is lost: trust brings it back.
        </p>
      </PageHead>
      <div class="cards wide-first">
        <Choice doubt={doubt} />
        <Distrusted />
      </div>
      {doubt && <Preview key={JSON.stringify(doubt)} doubt={doubt} />}
    </>
  )
}

function Choice({ doubt }: { readonly doubt: Doubt | null }) {
  const [kind, setKind] = useState<Named>(doubt ? named(doubt).kind : 'actor')
  const [text, setText] = useState(doubt ? named(doubt).name : '')
  return (
    <Card title="Whom, or what?">
      <form
        class="row ends-low"
        onSubmit={(event) => {
          event.preventDefault()
          goQuery({ actor: null, session: null, door: null, ref: null, [kind]: text.trim() })
        }}
      >
        <label class="field">
          <span>All of</span>
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Named)}>
            {KINDS.map(({ kind: each, words }) => (
              <option key={each} value={each}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <Name kind={kind} text={text} onText={setText} />
        <button type="submit" class="btn" disabled={text.trim() === ''}>
          What would change?
        </button>
      </form>
      {doubt && <Doing doubt={doubt} />}
    </Card>
  )
}

interface NameProps {
  readonly kind: Named
  readonly text: string
  readonly onText: (text: string) => void
}

const Name = ({ kind, text, onText }: NameProps) =>
  kind === 'door' ? (
    <label class="field grow">
      <span>{HINTS.door}</span>
      <select value={text} onChange={(event) => onText(event.currentTarget.value)}>
        <option value="">choose</option>
        {DOORS.map((door) => (
          <option key={door} value={door}>
            {door}
          </option>
        ))}
      </select>
    </label>
  ) : (
    <label class="field grow">
      <span>{HINTS[kind]}</span>
      <input
        type="text"
        value={text}
        placeholder={EXAMPLES[kind]}
        list={kind === 'ref' ? undefined : `met-${kind}`}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {kind !== 'ref' && <MetLately kind={kind} />}
    </label>
  )

/** Nobody knows the names of every actor and session by heart. */
function MetLately({ kind }: { readonly kind: 'actor' | 'session' }) {
  const { value } = useOperation('list', { limit: MET_LATELY, all: true }, { still: true })
  const names = (value ?? []).map(({ provenance: { sourceId, session } }) =>
    kind === 'actor' ? sourceId : session,
  )
  return (
    <datalist id={`met-${kind}`}>
      {[...new Set(names)].map((name) => name !== null && <option key={name} value={name} />)}
    </datalist>
  )
}

function Doing({ doubt }: { readonly doubt: Doubt }) {
  const stack = useStack()
  const mayAct = useMayAct()
  const [basis, setBasis] = useState<DistrustBasis>('mistaken')
  const turn = async (off: boolean): Promise<void> => {
    try {
      const told = await call(stack, 'distrust', {
        ...doubt,
        ...(off ? { off } : { yes: true, basis }),
      })
      refresh()
      if (!('turned' in told)) return
      const moved = plural(told.turned.memories.length, 'memory', 'memories')
      const action = { label: 'Undo', run: () => void turn(true) }
      say(
        off
          ? { text: `Believed again: ${moved}.` }
          : { text: `Believed no longer: ${moved}.`, action },
      )
    } catch (error) {
      sayError(error)
    }
  }
  return (
    <div class="row ends-low">
      <label class="field">
        <span>Because it is</span>
        <select
          value={basis}
          onChange={(event) => setBasis(event.currentTarget.value as DistrustBasis)}
        >
          {DISTRUST_BASES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="btn danger" disabled={!mayAct} onClick={() => void turn(false)}>
        Believe it no longer
      </button>
      <button type="button" class="btn" disabled={!mayAct} onClick={() => void turn(true)}>
        Trust it again
      </button>
    </div>
  )
}
