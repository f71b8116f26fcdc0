import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { WAIT_MS } from './browser.ts'

/** Asks again until it is so; the machine may be busy. */
export const eventually = <T>(ask: () => T | Promise<T>) => expect.poll(ask, { timeout: WAIT_MS })

/** All that a page asked for is there. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(() => page.getByText('Looking …').count()).toBe(0)
}
