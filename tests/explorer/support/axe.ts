import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Found {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** What an accessibility check finds serious, in words; nothing is what it should find. */
export async function seriousFindings(
  page: Page,
  rules: 'all' | 'colours' = 'all',
): Promise<readonly string[]> {
  await page.evaluate(axe.source) // run by the debugger, which the page's own rules do not bind
  const options = rules === 'all' ? {} : { runOnly: ['color-contrast'] }
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    readonly violations: readonly Found[]
  }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
