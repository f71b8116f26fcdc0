import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { notices } from '../scripts/notices.ts'

/** The explorer: plain files for the HTTP door, which lets nothing inline run and nothing else in. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [notices('THIRD-PARTY-NOTICES.txt')],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/explorer', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // a data: address is not 'self'
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700, // the graph, which is loaded when one is looked at
  },
  worker: { format: 'es' },
  server: { proxy: { '/v1': 'http://127.0.0.1:7077' } },
})
