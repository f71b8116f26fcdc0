import { useContext, useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { go, hrefOf } from '../../state/router.ts'
import { useStack, WhoContext } from '../../state/stack.ts'
import { Card } from '../../ui/parts.tsx'
import { say, sayError } from '../../ui/toasts.tsx'
import { loadSample, SAMPLE_STACK } from './sample.ts'

/** The first page of an empty stack: three ways to begin. */
export function Welcome() {
  const { person } = useContext(WhoContext)
  return (
    <>
      <p>Nothing is remembered here yet. Begin with one of these:</p>
      <div class="cards">
        <Card title="Write the first memory">
          {person ? <FirstNote /> : <p>Sign in to write, with the button in the navigation.</p>}
        </Card>
        <Card title="Connect a client">
          <ClientLines />
        </Card>
        <Card title="Look at a sample">
          {person ? <Sample /> : <p>Sign in to load a sample.</p>}
        </Card>
      </div>
    </>
  )
}

function FirstNote() {
  const stack = useStack()
  const [words, setWords] = useState('')
  const [isSaving, setSaving] = useState(false)
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      const { ref } = await call(stack, 'note', { content: words })
      go(hrefOf(stack, 'memory', ref))
    } catch (error) {
      sayError(error)
    } finally {
      setSaving(false)
    }
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <label class="field">
        <span>A note, in your words</span>
        <textarea
          required
          rows={3}
          value={words}
          placeholder="We deploy on Tuesdays"
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      <div class="row ends">
        <button class="btn primary" type="submit" disabled={isSaving || words.trim() === ''}>
          Save the note
        </button>
      </div>
    </form>
  )
}

function ClientLines() {
  const header = '--header "Authorization: Bearer <token>"'
  const overHttp = `claude mcp add --transport http muniment ${location.origin}/mcp ${header}`
  return (
    <div class="stack">
      <p>In the folder of your project; then restart the client:</p>
      <CopyLine label="Copy the set-up command" text="muniment setup claude-code --hooks" />
      <p class="soft small">
        Hooks capture your own words, so that every memory leads back to them. Without hooks, over
        this server:
      </p>
      <CopyLine label="Copy the command for this server" text={overHttp} />
      <p class="soft small">
        The server asks every client for a token. Put the token for programs in the place of{' '}
        <code>&lt;token&gt;</code>: <code>muniment serve</code> prints the whole line in its
        terminal, and keeps the token in the file <code>program-token</code> of its home.
      </p>
    </div>
  )
}

function CopyLine({ label, text }: { readonly label: string; readonly text: string }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      say({ text: 'Copied.' })
    } catch {
      sayError(new Error('The browser does not let this page copy. Select the line instead.'))
    }
  }
  return (
    <div class="row spread">
      <code class="clip">{text}</code>
      <button type="button" class="btn" aria-label={label} onClick={() => void copy()}>
        Copy
      </button>
    </div>
  )
}

function Sample() {
  const [isLoading, setLoading] = useState(false)
  const load = async (): Promise<void> => {
    setLoading(true)
    try {
      await loadSample()
      go(hrefOf(SAMPLE_STACK, 'overview'))
    } catch (error) {
      sayError(error)
    } finally {
      setLoading(false)
    }
  }
  return (
    <div class="stack">
      <p>
        A week of releases, in a stack of its own named <code>{SAMPLE_STACK}</code>. Your own stack
        stays empty.
      </p>
      <div class="row ends">
        <button type="button" class="btn" disabled={isLoading} onClick={() => void load()}>
          Load the sample
        </button>
      </div>
    </div>
  )
}
