import { defineProject } from 'vitest/config';

// A busy machine is no failure: tests wait on conditions, and this bounds those waits.
export default defineProject({
  test: {
    name: 'test-peers',
    setupFiles: ['../../tools/property-seed.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
