import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Who } from '../api/session.ts'
import { usePlace } from './router.ts'

/** The stack that is looked at. */
export const useStack = (): string => usePlace().stack

/** The moment that is looked at; nothing is now. */
export function useAsOf(): { readonly asOf?: string } {
  const asOf = usePlace().query.get('asof')
  return asOf === null ? {} : { asOf }
}

/** Nobody is signed in until the server said otherwise. */
export const WhoContext = createContext<Who>({ person: false, role: 'model' })

/** Whether buttons do something: a person is signed in, and looks at now. */
export function useMayAct(): boolean {
  const { person } = useContext(WhoContext)
  return useAsOf().asOf === undefined && person
}
