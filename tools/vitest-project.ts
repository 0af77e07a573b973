import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineProject, type UserProjectConfigExport } from 'vitest/config';

const propertySeed = fileURLToPath(new URL('property-seed.ts', import.meta.url));

/** Shared brokers have as many proxies (kafka-testkit). */
const MOST_WORKERS = 4;

/**
 * The vitest project of a package or example. Its files share processes, so a file must restore the globals that it changes. There is one
 * worker more than cores, because files wait for input, output and brokers as long as they compute. A busy machine is no failure:
 * tests wait on conditions, and the limits bound those waits.
 */
export function testProject(name: string): UserProjectConfigExport {
  return defineProject({
    test: {
      name,
      isolate: false,
      maxWorkers: Math.min(availableParallelism() + 1, MOST_WORKERS),
      setupFiles: [propertySeed],
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  });
}
