import { MunimentError } from '../domain/errors.ts'
import type { Values } from '../operations/settings.ts'
import type { Embedder } from '../ports/models.ts'
import { httpEmbedder } from '../recall/embed/providers/http-embedder.ts'
import { systemTimer } from './node-world.ts'

type Address = Pick<
  Values,
  'embedder.url' | 'embedder.model' | 'embedder.dimension' | 'embedder.key'
>

/** The embedder that settings name: all of it, or what is missing is said. */
export function addressedEmbedder(values: Address): Embedder {
  const { 'embedder.url': url, 'embedder.model': model, 'embedder.dimension': dimension } = values
  if (url === null || model === null || dimension === null) {
    throw new MunimentError('invalid_input', 'An embedder needs a url, a model and a dimension.', {
      hint: 'muniment config shows which is there.',
    })
  }
  const key = values['embedder.key']
  return httpEmbedder(
    { url, model, dimension, ...(key === null ? {} : { key }) },
    { fetch, timer: systemTimer },
  )
}
