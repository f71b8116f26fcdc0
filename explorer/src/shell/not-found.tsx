import type { Stacks } from '../api/sign-in.ts'
import { hrefOf, usePlace } from '../state/router.ts'
import { Link } from '../ui/link.tsx'
import { PageHead } from '../ui/parts.tsx'

/** An address without a page. */
export function PageNotFound() {
  const { stack } = usePlace()
  return (
    <>
      <PageHead title="Page not found" />
      <p>
        This address leads nowhere. <Link href={hrefOf(stack, 'overview')}>Go to the overview</Link>
      </p>
    </>
  )
}

/** An address of a stack that this server does not have, or does not show to this person. */
export function StackNotFound({ stacks }: { readonly stacks: Stacks }) {
  const { stack } = usePlace()
  const ids = [...new Set([stacks.usual, ...stacks.stacks.map(({ id }) => id)])]
  return (
    <>
      <PageHead title="Stack not found" />
      <p>There is no stack “{stack}” here. Choose another:</p>
      <ul class="list">
        {ids.map((id) => (
          <li key={id}>
            <Link href={hrefOf(id, 'overview')}>{id}</Link>
          </li>
        ))}
      </ul>
    </>
  )
}
