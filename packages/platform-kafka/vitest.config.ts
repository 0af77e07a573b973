import { defineProject } from 'vitest/config';

export default defineProject({
  // Brokers share the machine's cores with whatever else is tested.
  test: { name: 'platform-kafka', setupFiles: ['../../tools/property-seed.ts'], testTimeout: 30_000 },
});
