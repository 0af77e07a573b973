import { defineConfig } from 'vitest/config';

// Run by the test of the reporter, one case at a time.
export default defineConfig({
  test: {
    include: ['*.case.ts'],
    globalSetup: process.env['FAILED_TEARDOWN'] === undefined ? [] : ['failed-teardown.ts'],
    reporters: ['../ci-reporter.mjs'],
  },
});
