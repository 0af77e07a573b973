// Workflows are checked by actionlint, which knows their syntax, expressions, actions and their inputs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { goProgram } from '../go-program.mjs';

/** Problems of workflow files, one text each; none, with a line that says so, where there is no Go to build it with. */
export function lintWorkflows(files, { cwd }) {
  const program = goProgram('github.com/rhysd/actionlint/cmd/actionlint', 'v1.7.12');
  if (program === undefined) {
    process.stdout.write('workflows were not linted: actionlint needs Go 1.25 or newer\n');
    return process.env.CI === 'true' ? ['actionlint: no Go was found'] : [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'levada-workflows-'));
  try {
    for (const file of files) writeWithTags(file, { cwd, folder });
    const { status, stdout, stderr } = spawnSync(program, ['-no-color', '-oneline', ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** It knows inputs of actions by tags such as "v7", not by hashes: a copy has the tag of the version that is beside the hash. */
function writeWithTags(file, { cwd, folder }) {
  const text = readFileSync(join(cwd, file), 'utf8');
  const copy = join(folder, file);
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, text.replaceAll(/@[0-9a-f]{40} # (v\d+)\.[\d.]+$/gm, '@$1'));
}
