import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { addressOf, deadLinks, type Page, renderPage } from './page.ts'
import { SECTIONS } from './sections.ts'

/** Writes the site of a project into a folder; gives back each unlisted page and dead link. */
export function buildSite(root: string, folder: string): readonly string[] {
  const sources = SECTIONS.flatMap(([, pages]) => pages)
  const known = new Set(sources)
  const at = (file: string): string => path.join(root, file)
  const pages = sources.map((source) => renderPage(source, readFileSync(at(source), 'utf8'), known))
  const unlisted = readdirSync(at('docs'))
    .filter((name) => name.endsWith('.md') && !known.has(`docs/${name}`))
    .map((name) => `docs/${name} is in no section of the site`)
  mkdirSync(folder, { recursive: true })
  for (const page of pages)
    writeFileSync(path.join(folder, addressOf(page.source)), framed(page, pages))
  cpSync(at('docs/images'), path.join(folder, 'images'), { recursive: true })
  cpSync(at('scripts/docs/style.css'), path.join(folder, 'style.css'))
  return [...unlisted, ...deadLinks(pages, (file) => existsSync(at(file)))]
}

function framed({ source, title, html }: Page, pages: readonly Page[]): string {
  const titles = new Map(pages.map((page) => [page.source, page.title]))
  const entry = (page: string): string => {
    const current = page === source ? ' aria-current="page"' : ''
    return `<li><a href="${addressOf(page)}"${current}>${titles.get(page) ?? page}</a></li>`
  }
  const navigation = SECTIONS.map(
    ([name, sources]) => `<h2>${name}</h2><ul>${sources.map(entry).join('')}</ul>`,
  ).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}${title === 'Muniment' ? '' : ' · Muniment'}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<main>
<a class="jump" href="#pages">All pages</a>
${html}</main>
<nav id="pages">${navigation}</nav>
</body>
</html>
`
}
