import { useState } from 'preact/hooks'
import { DISTRUST_BASES, type DistrustBasis } from '../../../../src/domain/distrust.ts'
import { DOORS } from '../../../../src/domain/doors.ts'
import { call } from '../../api/client.ts'
import { useActors } from '../../state/actors.ts'
import { refresh } from '../../state/live.ts'
import { goQuery, usePlace } from '../../state/router.ts'
import { useMayAct, useStack } from '../../state/stack.ts'
import { plural } from '../../ui/format.ts'
import { Card, PageHead } from '../../ui/parts.tsx'
import { say, sayError } from '../../ui/toasts.tsx'
import { ActorList } from './actor-list.tsx'
import { Distrusted } from './distrusted.tsx'
import { type Doubt, doubtIn, KINDS, type Named, named } from './doubt.ts'
import { Preview } from './preview.tsx'

const HINTS: Readonly<Record<Named, string>> = {
  actor: 'Name of the actor',
  session: 'Name of the session',
  door: 'Name of the door',
  ref: 'Reference of the memory',
}

const EXAMPLES: Readonly<Record<Exclude<Named, 'door'>, string>> = {
  actor: 'web-page-reader',
  session: 'release-week',
  ref: 'belief:4a7c …',
}

/** Shows the effect of distrusting a source, and does and undoes it. */
export function Distrust() {
  const { query } = usePlace()
  const doubt = doubtIn(query)
  return (
    <>
      <PageHead title="Distrust">
        <p>
          See what would change without an actor, session, door or memory. Trusting it again undoes
          the distrust.
        </p>
      </PageHead>
      <div class="cards wide-first">
        <Choice key={JSON.stringify(doubt)} doubt={doubt} />
        <Distrusted />
      </div>
      {doubt ? <Preview key={JSON.stringify(doubt)} doubt={doubt} /> : <ActorList />}
    </>
  )
}

function Choice({ doubt }: { readonly doubt: Doubt | null }) {
  const [kind, setKind] = useState<Named>(doubt ? named(doubt).kind : 'actor')
  const [text, setText] = useState(doubt ? named(doubt).name : '')
  return (
    <Card title="Choose a source">
      <form
        class="row ends-low"
        onSubmit={(event) => {
          event.preventDefault()
          goQuery({ actor: null, session: null, door: null, ref: null, [kind]: text.trim() })
        }}
      >
        <label class="field">
          <span>Kind of source</span>
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
        list={kind === 'ref' ? undefined : `recent-${kind}`}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {kind !== 'ref' && <RecentNames kind={kind} />}
    </label>
  )

/** Names of recent actors or sessions, offered while a person types. */
function RecentNames({ kind }: { readonly kind: 'actor' | 'session' }) {
  const actors = useActors()
  const names =
    kind === 'actor' ? actors.map(({ name }) => name) : actors.flatMap(({ sessions }) => sessions)
  return (
    <datalist id={`recent-${kind}`}>
      {[...new Set(names)].map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
}

function Doing({ doubt }: { readonly doubt: Doubt }) {
  const stack = useStack()
  const mayAct = useMayAct()
  const [basis, setBasis] = useState<DistrustBasis>('mistaken')
  const turn = async (off: boolean): Promise<void> => {
    try {
      const result = await call(stack, 'distrust', {
        ...doubt,
        ...(off ? { off } : { yes: true, basis }),
      })
      refresh()
      if (!('turned' in result)) return
      const moved = plural(result.turned.memories.length, 'memory', 'memories')
      const action = { label: 'Undo', run: () => void turn(true) }
      say(off ? { text: `Trusted again: ${moved}.` } : { text: `Distrusted: ${moved}.`, action })
    } catch (error) {
      sayError(error)
    }
  }
  return (
    <div class="row ends-low">
      <label class="field">
        <span>Reason: it is</span>
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
        Distrust it
      </button>
      <button type="button" class="btn" disabled={!mayAct} onClick={() => void turn(true)}>
        Trust it again
      </button>
    </div>
  )
}
