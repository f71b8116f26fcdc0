import { fileURLToPath } from 'node:url'
import { isTiny } from './size.ts'

// What is measured is what is shipped: the program as it was built, with the types of its source.

/** Address of a module of the built program; a tiny run takes the source, which needs no build. */
export const builtUrl = (path: string): URL =>
  new URL(isTiny ? `../src/${path}.ts` : `../dist/${path}.js`, import.meta.url)

/** The program that a person starts. */
export const PROGRAM = fileURLToPath(builtUrl('doors/cli/bin'))

const built = (path: string): Promise<unknown> => import(builtUrl(path).href)

export const { openStack, Entity, embeddingComponent, label } = (await built(
  'index',
)) as typeof import('../src/index.ts')

export const { verifyReceipt } = (await built(
  'ledger/verify/index',
)) as typeof import('../src/ledger/verify/index.ts')

export const { postgres } = (await built(
  'stores/postgres/index',
)) as typeof import('../src/stores/postgres/index.ts')
