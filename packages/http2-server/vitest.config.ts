import { defineProject } from 'vitest/config';

// A busy machine is no failure: tests wait on conditions, and this bounds those waits.
export default defineProject({
  test: {
    name: 'http2-server',
    setupFiles: ['../../tools/property-seed.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
