import { useEffect, useState } from 'preact/hooks'
import { ApiError } from './api/client.ts'
import { onSession, sessionToken, type Who } from './api/session.ts'
import { type Stacks, signIn, stacksHere, takeTokenFromAddress, whoAmI } from './api/sign-in.ts'
import { SAMPLE_STACK } from './pages/overview/sample.ts'
import { Shell } from './shell/shell.tsx'
import { SignIn } from './shell/sign-in.tsx'
import { forgetAnswers } from './state/query.ts'
import { go, hrefOf, usePlace } from './state/router.ts'
import { WhoContext } from './state/stack.ts'
import { Problem } from './ui/parts.tsx'
import { Toasts } from './ui/toasts.tsx'

type Known =
  | { readonly type: 'asking' }
  | {
      readonly type: 'known'
      readonly who: Who
      readonly stacks: Stacks
      /** The link that was opened signed nobody in. */
      readonly refused: Error | null
    }
  | { readonly type: 'stranger'; readonly error: Error | null }
  | { readonly type: 'failed'; readonly error: Error }

const launch = takeTokenFromAddress()

/** Who looks, and at which stack: asked once, and again when somebody signs in or out. */
export function App() {
  const [known, setKnown] = useState<Known>({ type: 'asking' })
  const [signed, setSigned] = useState(0)
  const { stack } = usePlace()
  useEffect(() => onSession(() => setSigned((times) => times + 1)), [])
  useEffect(() => {
    forgetAnswers()
    void introduce(signed === 0 ? launch : null).then(setKnown)
  }, [signed])
  useEffect(() => {
    if (known.type !== 'known' || stack !== '') return
    const { stacks, usual } = known.stacks
    const first = stacks.find(({ id }) => id !== SAMPLE_STACK) // a sample is nobody's memory
    const isThere = stacks.some(({ id }) => id === usual)
    go(hrefOf(isThere ? usual : (first?.id ?? usual), 'overview'), { replace: true })
  }, [known, stack])
  return (
    <>
      <View known={known} />
      <Toasts />
    </>
  )
}

function View({ known }: { readonly known: Known }) {
  switch (known.type) {
    case 'asking':
      return null
    case 'stranger':
      return <SignIn error={known.error} />
    case 'failed':
      return (
        <main class="main">
          <Problem error={known.error} />
        </main>
      )
    case 'known':
      return (
        <WhoContext.Provider value={known.who}>
          <Shell stacks={known.stacks} refused={known.who.person ? null : known.refused} />
        </WhoContext.Provider>
      )
  }
}

const isRefusal = (error: Error): error is ApiError =>
  error instanceof ApiError && error.status === 401

const SPENT_LINK = {
  code: 'spent_link',
  detail: 'The link that you opened signs nobody in: it was used already, is too old, or is wrong.',
  hint: 'A link signs in once. muniment serve prints a new one in its terminal when one was used, and when it starts; a token of muniment trust token create signs in too.',
}

async function introduce(token: string | null): Promise<Known> {
  let refused: Error | null = null
  if (token !== null && sessionToken() === null) {
    await signIn(token).catch((error: Error) => {
      refused = isRefusal(error) ? new ApiError(error.status, SPENT_LINK) : error
    })
  }
  try {
    const [who, stacks] = await Promise.all([whoAmI(), stacksHere()])
    return { type: 'known', who, stacks, refused }
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error))
    return isRefusal(failure)
      ? { type: 'stranger', error: refused }
      : { type: 'failed', error: failure }
  }
}
