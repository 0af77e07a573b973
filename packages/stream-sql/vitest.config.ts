import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    name: 'stream-sql',
    setupFiles: ['../../tools/property-seed.ts'],
    testTimeout: 20_000,
  },
});
