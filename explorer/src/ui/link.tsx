import type { ComponentChildren, JSX } from 'preact'
import { go } from '../state/router.ts'

interface Props extends Omit<JSX.HTMLAttributes<HTMLAnchorElement>, 'href'> {
  readonly href: string
  readonly children: ComponentChildren
}

/** A link that stays on the page; anything but a plain click is the browser's. */
export const Link = ({ href, children, ...rest }: Props) => (
  <a
    {...rest}
    href={href}
    onClick={(event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      go(href)
    }}
  >
    {children}
  </a>
)
