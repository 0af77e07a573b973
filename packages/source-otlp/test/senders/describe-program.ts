// This file makes suites and is none: their names and whether they run depend on the machine.
/* oxlint-disable vitest/no-conditional-tests, vitest/valid-describe-callback, vitest/valid-title, vitest/expect-expect, vitest/no-disabled-tests */
import { beforeAll, describe, it } from 'vitest';

/** A program of another language that tests need. */
export interface ProgramKind<P> {
  /** Why it cannot be made on this machine, as one line; undefined when it can. */
  readonly unavailable: () => string | undefined;
  /** Makes it; the first time on a machine this takes minutes. */
  readonly make: () => Promise<P>;
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
      beforeAll(async () => {
        made = await kind.make();
      }, MAKE_LIMIT_MS);
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
