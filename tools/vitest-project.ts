import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineProject, type UserProjectConfigExport } from 'vitest/config';

const propertySeed = fileURLToPath(new URL('property-seed.ts', import.meta.url));

/** Shared brokers have as many proxies (kafka-testkit). */
const MOST_WORKERS = 4;

/** What a test says whose limit passed: of `waitFor`, and of vitest. */
const TOO_LATE = /^not within \d+ ms|^Test timed out in/;

/**
 * The vitest project of a package or example. Its files share processes, so a file must restore the globals that it changes. There is one
 * worker more than cores, because files wait for input, output and brokers as long as they compute. A busy machine is no failure:
 * tests wait on conditions, and the limits bound those waits.
 *
 * With `CI` set, a test that waited without success gets a second try, which the closing lines name: a machine that stands still for
 * seconds must not refuse a change. A wrong value is a failure at once.
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
      expect: { poll: { timeout: 30_000 } },
      retry: process.env.CI === undefined ? 0 : { count: 1, condition: TOO_LATE },
    },
  });
}
