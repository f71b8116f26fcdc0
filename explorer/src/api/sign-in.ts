import { ask } from './client.ts'
import { forgetSession, keepSession, type Who } from './session.ts'

/** Exchanges a launch or personal token for one that ends with the server. */
export async function signIn(token: string): Promise<void> {
  const answer = await ask('/v1/session', { method: 'POST', body: { token: token.trim() } })
  const { token: session } = (await answer.json()) as { readonly token: string }
  keepSession(session)
}

export async function signOut(): Promise<void> {
  await ask('/v1/session', { method: 'DELETE' }).catch(() => null) // gone here in any case
  forgetSession()
}

/** The link that the program prints carries a token; it is taken out of the address at once. */
export function takeTokenFromAddress(): string | null {
  const [, token] = /^#token=([\w.~+/=-]+)$/.exec(location.hash) ?? []
  if (token === undefined) return null
  history.replaceState(null, '', location.pathname + location.search)
  return token
}

export async function whoAmI(): Promise<Who> {
  const answer = await ask('/v1/session')
  return (await answer.json()) as Who // as the door shows it
}

export interface Stacks {
  readonly stacks: readonly { readonly id: string; readonly name?: string }[]
  readonly usual: string
}

export async function stacksHere(): Promise<Stacks> {
  const answer = await ask('/v1/stacks')
  return (await answer.json()) as Stacks // as the door shows it
}
