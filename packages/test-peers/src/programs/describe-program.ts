// This file makes suites and is none: their names and whether they run depend on the machine.
/* oxlint-disable vitest/no-conditional-tests, vitest/valid-describe-callback, vitest/valid-title, vitest/expect-expect, vitest/no-disabled-tests */
import { beforeAll, beforeEach, describe, it } from 'vitest';

/** A program of another language that tests need. */
export interface ProgramKind<P> {
  /** Why it cannot be made on this machine, as one line; undefined when it can. */
  readonly unavailable: () => string | undefined;
  /** Makes it; the first time on a machine this takes minutes. */
  readonly make: () => Promise<P>;
  /** Whether the tests are skipped, and not failed, when it cannot be made although its tools are there. */
  readonly optional?: boolean;
}

const MAKE_LIMIT_MS = 420_000;

/** Makes a suite with the program. Where it cannot be made the suite is skipped and its name says why; with `CI=true` it fails. */
export function describeProgram<P>(
  name: string,
  kind: ProgramKind<P>,
  body: (program: () => P) => void,
): void {
  const reason = kind.unavailable();
  if (reason === undefined) {
    describe(name, () => {
      let made: P | undefined;
      let problem = '';
      beforeAll(async () => {
        made = await kind.make().catch((error: unknown) => {
          if (kind.optional !== true) throw error;
          problem = firstLine(error);
          process.stderr.write(`skipped "${name}": ${problem}\n`);
          return undefined;
        });
      }, MAKE_LIMIT_MS);
      beforeEach(({ skip }) => skip(problem !== '', problem));
      body(() => {
        if (made === undefined) throw new Error('the program is there only while tests run');
        return made;
      });
    });
  } else if (process.env['CI'] === 'true') {
    describe(name, () => {
      it('has a program to run against', () => {
        throw new Error(reason);
      });
    });
  } else {
    process.stderr.write(`skipped "${name}": ${reason}\n`);
    describe.skip(`${name} (${reason})`, () => body(() => undefined as never));
  }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? 'it cannot be made';
}
