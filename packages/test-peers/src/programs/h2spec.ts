import { fileURLToPath } from 'node:url';
import type { ProgramKind } from './describe-program.ts';
import { goBuild } from './go-build.ts';
import { runProgram } from './run-program.ts';

/** The outcome of one case of h2spec. */
export interface H2specOutcome {
  /** Its section and number there, such as `http2/5.1.1/2`. */
  readonly case: string;
  readonly title: string;
  readonly result: 'passed' | 'failed' | 'skipped' | 'not run';
  readonly problem?: string;
}

const program = goBuild({
  folder: fileURLToPath(new URL('h2spec', import.meta.url)),
  oldest: 26,
  what: 'h2spec',
});

/** h2spec: runs all its cases, strict ones too, against the HTTP/2 server at a port of 127.0.0.1. */
export const h2spec: ProgramKind<(port: number) => Promise<readonly H2specOutcome[]>> = {
  unavailable: program.unavailable,
  make: async () => {
    const [command, ...args] = await program.command();
    return async (port) => {
      const output = await runProgram({ command, args: [...args, String(port)] });
      return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
    };
  },
};
