import { useState } from 'preact/hooks'
import { signIn } from '../api/sign-in.ts'
import { Problem } from '../ui/parts.tsx'

/** A token instead of a password: it is made in a terminal, and ends when its owner says so. */
export function SignInForm({ error: first = null }: { readonly error?: Error | null }) {
  const [token, setToken] = useState('')
  const [error, setError] = useState<Error | null>(first)
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        setError(null)
        signIn(token).catch(setError)
      }}
    >
      <label class="field">
        <span>Token</span>
        <input
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <p class="soft small">
        The link that <code>muniment serve</code> prints signs you in. So does a personal token:{' '}
        <code>muniment trust token create</code>
      </p>
      {error && <Problem error={error} />}
      <div class="row ends">
        <button class="btn primary" type="submit">
          Sign in
        </button>
      </div>
    </form>
  )
}

export const SignIn = ({ error }: { readonly error: Error | null }) => (
  <main class="door">
    <div class="card stack">
      <div class="brand">
        <img src="/mark.svg" alt="" /> <h1>Muniment</h1>
      </div>
      <p class="soft">This server lets nobody in without a token.</p>
      <SignInForm error={error} />
    </div>
  </main>
)
