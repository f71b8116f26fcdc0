import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { COMPILED } from './tests/support/compiled.ts'
import { PlainSummary } from './tests/support/plain-summary.ts'

const SEEDED = fileURLToPath(new URL('./tests/support/seeded-fast-check.ts', import.meta.url))

const EXPLORATION_TIMEOUT_MS = 3_600_000 // a test repeats each of its properties for a time slice
const TIMEOUT_MS = process.env.MUNIMENT_EXPLORATION ? EXPLORATION_TIMEOUT_MS : 120_000 // property tests on a busy machine; a hanging test still ends

/** Tests that replace a module by another: nobody else may be served theirs. */
const REPLACING = ['tests/http/exhausting.test.ts'] as const

export default defineConfig({
  // Every property takes its seed from one place, whichever file states the property.
  resolve: { alias: [{ find: /^fast-check$/, replacement: SEEDED }] },
  test: {
    passWithNoTests: true,
    maxWorkers: '100%', // not one core less: whoever starts them waits
    env: COMPILED,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    reporters: ['default', new PlainSummary()],
    projects: [
      {
        extends: true,
        // Code that is loaded once serves many files: none of them changes what the others see.
        test: { name: 'unit', include: ['{src,explorer/src}/**/*.test.ts'], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/tidy/**', 'tests/postgres/**', 'tests/explorer/**', ...REPLACING],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'apart', include: [...REPLACING] },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['tests/postgres/**/*.test.ts'],
          globalSetup: ['tests/postgres/support/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'explorer',
          include: ['tests/explorer/**/*.test.ts'],
          globalSetup: ['tests/explorer/support/global-setup.ts'],
          fileParallelism: false, // a browser, a server and a stack each
        },
      },
      {
        extends: true,
        test: { name: 'tidy', include: ['tests/tidy/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['{src,tests}/**/*.test-d.ts'],
            tsconfig: './tsconfig.json',
          },
        },
      },
    ],
  },
})
