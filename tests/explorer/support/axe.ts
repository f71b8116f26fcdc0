import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Found {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** What an accessibility check finds serious, in words; nothing is what it should find. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(source) // run by the debugger, which the page's own rules do not bind
  const { violations } = (await page.evaluate('axe.run(document)')) as {
    readonly violations: readonly Found[]
  }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
