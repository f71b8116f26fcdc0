// What is measured is what is shipped: the program as it was built, with the types of its source.

const built = (path: string): Promise<unknown> =>
  import(new URL(`../dist/${path}.js`, import.meta.url).href)

export const { openStack } = (await built(
  'compose/open-stack',
)) as typeof import('../src/compose/open-stack.ts')

export const { Entity } = (await built('core/entity')) as typeof import('../src/core/entity.ts')

export const { verifyReceipt } = (await built(
  'verify/index',
)) as typeof import('../src/verify/index.ts')
