import { fileURLToPath } from 'node:url'
import { isTiny } from './size.ts'

// What is measured is what is shipped: the program as it was built, with the types of its source.

/** Address of a module of the built program; a tiny run takes the source, which needs no build. */
export const builtUrl = (path: string): URL =>
  new URL(isTiny ? `../src/${path}.ts` : `../dist/${path}.js`, import.meta.url)

/** The program that a person starts. */
export const PROGRAM = fileURLToPath(builtUrl('doors/cli/bin'))

const built = (path: string): Promise<unknown> => import(builtUrl(path).href)

export const { openStack } = (await built(
  'compose/open-stack',
)) as typeof import('../src/compose/open-stack.ts')

export const { Entity } = (await built('agent/entity')) as typeof import('../src/agent/entity.ts')

export const { embeddingComponent } = (await built(
  'components/default-components',
)) as typeof import('../src/components/default-components.ts')

export const { queryTerms, termsOf } = (await built(
  'domain/words/terms',
)) as typeof import('../src/domain/words/terms.ts')

export const { staticEmbedder } = (await built(
  'compose/static-embedder',
)) as typeof import('../src/compose/static-embedder.ts')

export const { label } = (await built('domain/labels')) as typeof import('../src/domain/labels.ts')
export const { vectorScan } = (await built(
  'recall/embed/vector-scan',
)) as typeof import('../src/recall/embed/vector-scan.ts')

export const scanKernel = (await built(
  'recall/embed/scan-kernel',
)) as typeof import('../src/recall/embed/scan-kernel.ts')

export const { verifyReceipt } = (await built(
  'ledger/verify/index',
)) as typeof import('../src/ledger/verify/index.ts')

export const { postgres } = (await built(
  'stores/postgres/index',
)) as typeof import('../src/stores/postgres/index.ts')
