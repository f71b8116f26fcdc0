import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { signedIn, startBrowser, type Watched } from './browser.ts'
import type { Made } from './make-stack.ts'
import { type Site, startSite } from './server.ts'

/** What the tests of one file work with; there from the first test on. */
export interface Desk {
  readonly browser: Browser
  readonly site: Site
  readonly made: Made
  readonly page: Page
  readonly complaints: string[]
  /** Where the explorer was built. */
  readonly siteFolder: string
  /** Opens a page of the stack. */
  readonly visit: (path: string) => Promise<void>
}

const START_MS = 120_000

/** A server on a copy of the stack, a browser, and a person who is signed in. */
export function desk(): () => Desk {
  let browser: Browser | null = null
  let site: Site | null = null
  let watched: Watched | null = null
  beforeAll(async () => {
    browser = await startBrowser()
    site = await startSite({ from: inject('made').home, site: inject('site') })
    watched = await signedIn(browser, site.launch())
  }, START_MS)
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
  })
  return () => {
    if (!browser || !site || !watched) throw new Error('The desk is not set up yet.')
    const { url } = site
    const { page } = watched
    return {
      browser,
      site,
      made: inject('made'),
      siteFolder: inject('site'),
      ...watched,
      visit: async (path) => void (await page.goto(`${url}/demo/${path}`)),
    }
  }
}
