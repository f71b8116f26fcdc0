import chromium from '@sparticuz/chromium'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'

/** Its flags are for a cloud function: pages here keep their own process and every rule of the web. */
const UNWANTED: ReadonlySet<string> = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
])

/** A Chromium that comes inside a package: nothing has to be installed. */
export const startBrowser = async (): Promise<Browser> =>
  playwright.launch({
    args: chromium.args.filter((flag) => !UNWANTED.has(flag)),
    executablePath: await chromium.executablePath(),
    headless: true,
  })

export interface Watched {
  readonly page: Page
  /** What the page complained about: errors, broken rules of what may be loaded, outside requests. */
  readonly complaints: string[]
}

interface Look {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
}

export const WAIT_MS = 20_000 // on a busy machine; what is there is not waited for

/** A page of a person of their own, watched for anything that should not be. */
export async function openPage(
  browser: Browser,
  { width = 1_200, theme = 'light' }: Look = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width, height: 860 },
    colorScheme: theme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const complaints: string[] = []
  page.on('pageerror', (error) => void complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') complaints.push(request.url())
  })
  return { page, complaints }
}

/** Signs in by the link that the program prints, and waits for the page behind it. */
export async function signedIn(
  browser: Browser,
  launch: string,
  look: Look = {},
): Promise<Watched> {
  const watched = await openPage(browser, look)
  await watched.page.goto(launch)
  await watched.page.getByText('Signed in').waitFor()
  return watched
}
