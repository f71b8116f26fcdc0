import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../api/client.ts'
import type { Stacks } from '../api/sign-in.ts'
import { signOut } from '../api/sign-in.ts'
import { useFollowing } from '../state/live.ts'
import { OverviewContext } from '../state/overview.ts'
import { useChecking } from '../state/pin.ts'
import { useOperation } from '../state/query.ts'
import { go, hrefOf, usePlace } from '../state/router.ts'
import { WhoContext } from '../state/stack.ts'
import { Badge } from '../ui/badges.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { count } from '../ui/format.ts'
import { Link } from '../ui/link.tsx'
import { Problem } from '../ui/parts.tsx'
import { Banners } from './banners.tsx'
import { Icon } from './icons.tsx'
import { LedgerMark } from './ledger-mark.tsx'
import { StackNotFound } from './not-found.tsx'
import { PAGES, PageView } from './pages.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { SignInForm } from './sign-in.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** Navigation, the stack that is looked at, and who looks. */
export function Shell({
  stacks,
  refused,
}: {
  readonly stacks: Stacks
  /** The reason why an opened link signed nobody in. */
  readonly refused: Error | null
}) {
  const { stack, page, rest } = usePlace()
  // A stack may have been made since the list was asked for: the server's own word decides.
  const isListed = stack === stacks.usual || stacks.stacks.some(({ id }) => id === stack)
  const isThere = stack !== ''
  const overview = useOperation('overview', isThere ? {} : null)
  const main = useRef<HTMLElement>(null)
  useFollowing(stack, isThere)
  useChecking(stack, overview.value !== null && overview.value.head !== null)
  const first = useRef(true)
  useEffect(() => {
    // The focus tells a screen reader that another page opened.
    if (!first.current) main.current?.focus()
    first.current = false
  }, [page, rest])
  const isMissing = !isListed && overview.error instanceof ApiError && overview.error.status === 404
  const waiting = overview.value?.review
  return (
    <OverviewContext.Provider value={overview}>
      <a class="skip" href="#main">
        To the content
      </a>
      <div class="shell">
        <header class="side">
          <Link class="brand" href={hrefOf(stack, 'overview')}>
            <img src="/mark.svg" alt="" /> Muniment
          </Link>
          <StackChoice stacks={stacks} />
          <nav class="nav" aria-label="Pages">
            <ul>
              {PAGES.map(({ name, title }) => (
                <li key={name}>
                  <Link href={hrefOf(stack, name)} isCurrent={page === name}>
                    <Icon name={name} />
                    {title}
                    {name === 'review' && waiting && waiting.total > 0 && (
                      <span class="count">
                        <Badge tone="warn">
                          {count(waiting.total)}
                          {waiting.hasMore ? '+' : ''}
                          <span class="sr">waiting</span>
                        </Badge>
                      </span>
                    )}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <div class="side-end">
            <LedgerMark />
            <Person />
            <ThemeSwitch />
            <Shortcuts />
          </div>
        </header>
        <main class="main" id="main" tabIndex={-1} ref={main}>
          <Banners />
          {refused && <Problem error={refused} />}
          {isMissing ? <StackNotFound stacks={stacks} /> : isThere && <PageView />}
        </main>
      </div>
    </OverviewContext.Provider>
  )
}

function StackChoice({ stacks }: { readonly stacks: Stacks }) {
  const { stack, page } = usePlace()
  const ids = [...new Set([...stacks.stacks.map(({ id }) => id), stack])].filter((id) => id !== '')
  return (
    <label class="field">
      <span>Stack</span>
      <select
        value={stack}
        onChange={(event) => {
          const to = page === 'memory' ? 'overview' : page
          go(hrefOf(event.currentTarget.value, to, '', { asof: null }))
        }}
      >
        {ids.map((id) => (
          <option key={id} value={id}>
            {stacks.stacks.find((each) => each.id === id)?.name ?? id}
          </option>
        ))}
      </select>
    </label>
  )
}

function Person() {
  const { person } = useContext(WhoContext)
  const [isAsking, setAsking] = useState(false)
  if (person) {
    return (
      <div class="row">
        <span>Signed in</span>
        <button type="button" class="btn plain" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    )
  }
  return (
    <div class="row">
      <span class="soft">Looking only</span>
      <button type="button" class="btn plain" onClick={() => setAsking(true)}>
        Sign in
      </button>
      {isAsking && (
        <Dialog title="Sign in" onClose={() => setAsking(false)}>
          <SignInForm />
          <button type="button" class="btn" onClick={() => setAsking(false)}>
            Cancel
          </button>
        </Dialog>
      )}
    </div>
  )
}
