import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.ts';

describe('levada completion', () => {
  it.each([
    ['levada pro', 1, ['project']],
    ['levada project va', 2, ['validate']],
    ['levada project validate --se', 3, ['--severity', '--select']],
    ['levada project validate shop --fo', 4, ['--format']],
    ['levada worker ', 2, ['start', 'dev', 'check-config', 'health', '--help']],
  ])('bash completes "%s"', async (line, at, expected) => {
    const { code, out } = await runCommand(['completion', 'bash']);
    expect(code).toBe(0);
    const words = line.split(' ').map((word) => `'${word}'`);
    const script = `${out}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${at}; _levada; echo "\${COMPREPLY[@]}"`;
    const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim();
    expect(printed === '' ? [] : printed.split(' ').toSorted()).toEqual(expected.toSorted());
  });

  it.each(['zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { code, out } = await runCommand(['completion', shell]);
    expect(code).toBe(0);
    expect(out).toContain('validate');
  });

  it('ends with 2 for another shell', async () => {
    expect(await runCommand(['completion', 'csh'])).toMatchObject({ code: 2 });
  });
});
