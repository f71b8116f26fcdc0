const KEY = 'muniment.session'

/** Who the server takes this page for. */
export interface Who {
  readonly person: boolean
  readonly role: string
}

type Listener = () => void
const listeners = new Set<Listener>()

/** Calls the listener when a person signs in or out. */
export function onSession(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Kept for this tab alone: a token that lies about can be used by whoever finds it. */
export const sessionToken = (): string | null => sessionStorage.getItem(KEY)

export function bearer(): Record<string, string> {
  const token = sessionToken()
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

export function keepSession(token: string): void {
  sessionStorage.setItem(KEY, token)
  for (const listener of listeners) listener()
}

export function forgetSession(): void {
  if (sessionToken() === null) return
  sessionStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}
