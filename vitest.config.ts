import { defineConfig } from 'vitest/config'
import { PlainSummary } from './tests/support/plain-summary.ts'

const TIMEOUT_MS = 120_000 // property tests on a busy machine; a hanging test still ends

export default defineConfig({
  test: {
    passWithNoTests: true,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    reporters: ['default', new PlainSummary()],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{src,explorer/src}/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/tidy/**', 'tests/postgres/**', 'tests/explorer/**'],
        },
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
