import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      'packages/*',
      'examples/*/vitest.config.ts',
      'docs/vitest.config.ts',
      'tools/vitest.config.ts',
    ],
    globalSetup: ['packages/kafka-testkit/src/broker/global-setup.ts'],
    reporters: ['default', './tools/ci-reporter/ci-reporter.mjs'],
    coverage: { include: ['packages/*/src/**/*.ts'] },
  },
});
