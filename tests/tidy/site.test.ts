import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { deadLinks, renderPage } from '../../scripts/docs/page.ts'
import { buildSite } from '../../scripts/docs/site.ts'
import { scratch } from '../cli/support/scratch.ts'
import { ROOT } from '../support/project-files.ts'

test('the site has every page, and no link on it leads nowhere', () => {
  const folder = scratch()
  expect(buildSite(ROOT, folder)).toEqual([])
  const pages = readdirSync(folder).filter((name) => name.endsWith('.html'))
  expect(pages.length).toBeGreaterThan(25)
  for (const name of pages) {
    const html = readFileSync(path.join(folder, name), 'utf8')
    expect(html, name).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//)
    for (const [, file = ''] of html.matchAll(/(?:href|src)="([^"#:]+)[^":]*"/g)) {
      expect(existsSync(path.join(folder, file)), `${name}: ${file}`).toBe(true)
    }
  }
})

test('a link to a file or a heading that is not there is named', () => {
  const known = new Set(['docs/a.md', 'docs/b.md'])
  const a = renderPage(
    'docs/a.md',
    '# A\n\n[b](b.md#far) [c](c.md) [b](b.md#near) ![d](d.jpg)',
    known,
  )
  const b = renderPage('docs/b.md', '# B\n\n## Near', known)
  const exists = (file: string): boolean => known.has(file)
  expect(deadLinks([a, b], exists)).toEqual([
    'docs/a.md: docs/b.md has no heading #far',
    'docs/a.md: there is no docs/c.md',
    'docs/a.md: there is no docs/d.jpg',
  ])
})
