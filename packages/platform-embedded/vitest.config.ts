import { defineProject } from 'vitest/config';

// Tests wait for real commits, and some start processes: seconds on a quiet disk, more on one that others use too.
export default defineProject({
  test: { name: 'platform-embedded', setupFiles: ['../../tools/property-seed.ts'], testTimeout: 30_000 },
});
