import type { ComponentChildren } from 'preact'
import { go } from '../state/router.ts'

interface Props {
  readonly href: string
  readonly children: ComponentChildren
  readonly class?: string
  readonly title?: string
  readonly isCurrent?: boolean
  readonly tabIndex?: number
}

/** A link that stays on the page; anything but a plain click is the browser's. */
export const Link = ({ href, children, isCurrent, ...rest }: Props) => (
  <a
    {...rest}
    href={href}
    aria-current={isCurrent ? 'page' : undefined}
    onClick={(event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
        return
      }
      event.preventDefault()
      go(href)
    }}
  >
    {children}
  </a>
)
