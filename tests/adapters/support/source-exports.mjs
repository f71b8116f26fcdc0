import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Resolves the package's own name to its source, so an example runs before anything is built. */
const root = new URL('../../../', import.meta.url)
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

registerHooks({
  resolve(specifier, context, next) {
    const target = /^muniment(?:\/|$)/.test(specifier)
      ? exports[specifier.replace(/^muniment/, '.')]?.default
      : undefined
    if (target === undefined) return next(specifier, context)
    const source = target.replace('./dist/', './src/').replace(/\.js$/, '.ts')
    return { url: new URL(source, root).href, shortCircuit: true }
  },
})
