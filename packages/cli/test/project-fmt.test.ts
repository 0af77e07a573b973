import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

const fmt = (cwd: string, ...args: string[]) => runCommand(['project', 'fmt', ...args], { cwd });
const untidy =
  'models:\n- name:   more # why\n  sql: |\n      SELECT id\n        FROM {{ ref("orders_clean") }}\n';
const tidy =
  'models:\n  - name: more # why\n    sql: |\n      SELECT id\n        FROM {{ ref("orders_clean") }}\n';

describe('levada project fmt', () => {
  it('writes files that change, names them, and has nothing to do afterwards', async () => {
    const cwd = await projectFolder({ ...shop, 'models/more.yml': untidy });
    await chmod(join(cwd, 'models/more.yml'), 0o640);
    expect(await fmt(cwd)).toEqual({ code: 0, out: 'models/more.yml\n', err: '' });
    expect(await readFile(join(cwd, 'models/more.yml'), 'utf8')).toBe(tidy);
    expect((await stat(join(cwd, 'models/more.yml'))).mode & 0o777).toBe(0o640);
    expect(await readdir(join(cwd, 'models'))).toEqual(['more.yml', 'orders.yml']);
    expect(await fmt(cwd, '--check')).toEqual({ code: 0, out: '', err: '' });
  });

  it('writes nothing with --check, and ends with 1 when something would change', async () => {
    const cwd = await projectFolder({ ...shop, 'models/more.yml': untidy });
    expect(await fmt(cwd, '--check')).toEqual({ code: 1, out: 'models/more.yml\n', err: '' });
    expect(await readFile(join(cwd, 'models/more.yml'), 'utf8')).toBe(untidy);
  });

  it('takes files, of a project or not', async () => {
    const cwd = await projectFolder({ 'a.yml': untidy, 'b.yml': untidy });
    expect(await fmt(cwd, 'a.yml', '--write')).toMatchObject({ code: 0, out: 'a.yml\n' });
    expect(await readFile(join(cwd, 'b.yml'), 'utf8')).toBe(untidy);
  });

  it('leaves files that are no YAML, says why with their place, formats the others and ends with 1', async () => {
    const cwd = await projectFolder({ 'a.yml': 'a: [\n', 'b.yml': untidy });
    const { code, out, err } = await fmt(cwd, 'a.yml', 'b.yml');
    expect([code, out]).toEqual([1, 'b.yml\n']);
    expect(err).toMatch(/^a\.yml:\d+:\d+ {2}error {2}LV11/);
  });

  it('ends with 2 for a file that does not exist', async () => {
    expect(await fmt(await projectFolder({}), 'nothing.yml')).toMatchObject({ code: 2 });
  });

  it.each(['payments', 'minimal'])(
    'has nothing to change in a new project of template %s',
    async (template) => {
      const cwd = await projectFolder({});
      await runCommand(['project', 'init', '--name', 'shop', '--template', template], { cwd });
      expect(await fmt(cwd, '--check')).toEqual({ code: 0, out: '', err: '' });
    },
  );
});
