import { defineConfig } from 'vitest/config';

// Run by the test of the reporter, one case at a time.
export default defineConfig({ test: { include: ['*.case.ts'], reporters: ['../ci-reporter.mjs'] } });
