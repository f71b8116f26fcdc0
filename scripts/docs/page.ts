import path from 'node:path'
import { Marked, type Tokens } from 'marked'

export interface Link {
  /** The path of the target from the root of the project, or null for an address elsewhere. */
  readonly target: string | null
  readonly anchor: string
}

export interface Page {
  readonly source: string
  readonly title: string
  readonly html: string
  readonly anchors: ReadonlySet<string>
  readonly links: readonly Link[]
}

export const addressOf = (source: string): string =>
  source === 'README.md' ? 'index.html' : `${path.basename(source, '.md').toLowerCase()}.html`

/** One page as HTML. Links between pages lead inside the site; a link to any other file is text. */
export function renderPage(source: string, markdown: string, pages: ReadonlySet<string>): Page {
  const anchors = new Set<string>()
  const links: Link[] = []
  let title = ''
  const note = (href: string): Link => {
    const link = linkOf(source, href)
    links.push(link)
    return link
  }
  const marked = new Marked({
    renderer: {
      heading({ tokens, text, depth }: Tokens.Heading): string {
        const anchor = freshAnchor(text, anchors)
        const inner = this.parser.parseInline(tokens)
        if (title === '') title = text.replaceAll('`', '')
        return `<h${depth} id="${anchor}">${inner}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        const { target, anchor } = note(href)
        const inner = this.parser.parseInline(tokens)
        if (target === null) return `<a href="${escaped(href)}">${inner}</a>`
        if (!pages.has(target)) return `<span title="${escaped(target)}">${inner}</span>`
        const hash = anchor === '' ? '' : `#${anchor}`
        return `<a href="${addressOf(target)}${hash}">${inner}</a>`
      },
      image({ href, text }: Tokens.Image): string {
        const { target } = note(href)
        return `<img src="images/${path.basename(target ?? '')}" alt="${escaped(text)}">`
      },
      code({ text, lang }: Tokens.Code): string {
        return `<pre><code>${escaped(lang === 'mermaid' ? arrowsOf(text) : text)}</code></pre>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { source, title, html, anchors, links }
}

/** Links that lead nowhere: no such file, or no such heading. */
export function deadLinks(
  pages: readonly Page[],
  exists: (file: string) => boolean,
): readonly string[] {
  const bySource = new Map(pages.map((page) => [page.source, page]))
  return pages.flatMap(({ source, links }) =>
    links.flatMap(({ target, anchor }) => {
      if (target === null) return []
      if (!exists(target)) return [`${source}: there is no ${target}`]
      const page = bySource.get(target)
      if (anchor === '' || page?.anchors.has(anchor)) return []
      return [`${source}: ${target} has no heading #${anchor}`]
    }),
  )
}

function linkOf(source: string, href: string): Link {
  if (/^[a-z]+:/.test(href)) return { target: null, anchor: '' }
  const [file = '', anchor = ''] = href.split('#')
  const target = file === '' ? source : path.posix.join(path.posix.dirname(source), file)
  return { target, anchor }
}

/** The anchor that GitHub gives a heading; a repeated heading gets a number. */
function freshAnchor(text: string, taken: Set<string>): string {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  let anchor = plain
  for (let count = 1; taken.has(anchor); count += 1) anchor = `${plain}-${count}`
  taken.add(anchor)
  return anchor
}

/** A diagram's edges as lines of text, since the site runs no script. */
const arrowsOf = (diagram: string): string =>
  [...diagram.matchAll(/\["([^"]+)"\] --> \w+\["([^"]+)"\]/g)]
    .map(([, from, to]) => `${from} → ${to}`)
    .join('\n')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
