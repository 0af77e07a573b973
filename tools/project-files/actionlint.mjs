// Workflows are checked by actionlint, which knows their syntax, expressions, actions and their inputs.
import { spawnSync } from 'node:child_process';
import { goProgram } from '../go-program.mjs';

/** Problems of workflow files, one text each; none, with a line that says so, where there is no Go to build it with. */
export function lintWorkflows(files, { cwd }) {
  const program = goProgram('github.com/rhysd/actionlint/cmd/actionlint', 'v1.7.7');
  if (program === undefined) {
    process.stdout.write('workflows were not linted: actionlint needs Go 1.23 or newer\n');
    return process.env.CI === 'true' ? ['actionlint: no Go was found'] : [];
  }
  const { status, stdout, stderr } = spawnSync(program, ['-no-color', '-oneline', ...files], {
    cwd,
    encoding: 'utf8',
  });
  return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n');
}
