import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples/*'],
    coverage: { include: ['packages/*/src/**/*.ts'] },
  },
});
