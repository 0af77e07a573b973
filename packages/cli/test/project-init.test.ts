import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectFolder } from './project-folder.ts';
import { runCommand } from './run-command.ts';

const init = (cwd: string, ...args: string[]) => runCommand(['project', 'init', ...args], { cwd });

describe('levada project init', () => {
  it.each(['payments', 'minimal'])(
    'writes a project of template %s that validates clean',
    async (template) => {
      const cwd = await projectFolder({});
      const { code, out } = await init(cwd, 'shop', '--template', template);
      expect(code).toBe(0);
      expect(out).toContain('shop/stream_project.yml\n');
      const checked = await runCommand(['project', 'validate', 'shop', '--max-warnings', '0'], { cwd });
      expect(checked).toMatchObject({ code: 0, err: '' });
      expect(checked.out).toMatch(/^✓ shop 0\.1\.0 {2}1 source · \d models? · \d tests? · \d exposures?\n$/);
    },
  );

  it('writes what editors and checks need, beside the project', async () => {
    const cwd = await projectFolder({});
    const { out } = await init(cwd, '--name', '2030');
    const files = out.trimEnd().split('\n');
    expect(files).toEqual(
      expect.arrayContaining([
        '.env.example',
        '.github/workflows/stream.yml',
        '.gitignore',
        '.vscode/settings.json',
        '.vscode/stream-project.schema.json',
        'exposures/reporting.yml',
        'models/payments.yml',
        'sources/payments.yml',
        'tests/payments.yml',
      ]),
    );
    expect(await readFile(join(cwd, '.gitignore'), 'utf8')).toContain('\n.env\n');
    const main = parse(await readFile(join(cwd, 'stream_project.yml'), 'utf8')) as object;
    expect(main).toHaveProperty('project.name', '2030');
    expect(files.filter((file) => file.endsWith('.schema.json'))).toEqual([
      '.vscode/stream-project.schema.json',
      '.vscode/stream-project-fragment.schema.json',
    ]);
    const settings = JSON.parse(await readFile(join(cwd, '.vscode/settings.json'), 'utf8')) as object;
    expect(Object.values(settings).flatMap((schemas) => Object.keys(schemas as object))).toEqual([
      '.vscode/stream-project.schema.json',
      '.vscode/stream-project-fragment.schema.json',
    ]);
    for (const path of files.filter((file) => file.endsWith('.yml')))
      expect(await readFile(join(cwd, path), 'utf8')).not.toMatch(/__(name|version)__/);
  });

  it('writes nothing when a file is in its way', async () => {
    const cwd = await projectFolder({ 'models/payments.yml': 'mine' });
    const { code, err } = await init(cwd, '--name', 'shop');
    expect(code).toBe(1);
    expect(err).toContain('nothing was written, because there is "models/payments.yml" already');
    expect(await readFile(join(cwd, 'models/payments.yml'), 'utf8')).toBe('mine');
    await expect(readFile(join(cwd, 'stream_project.yml'))).rejects.toThrow('ENOENT');
  });

  it('leaves settings of the editor and of git as they are, and says so', async () => {
    const cwd = await projectFolder({ '.gitignore': 'mine\n' });
    const { code, err } = await init(cwd, '--name', 'shop');
    expect(code).toBe(0);
    expect(err).toContain('".gitignore" was there already');
    expect(await readFile(join(cwd, '.gitignore'), 'utf8')).toBe('mine\n');
  });

  it('ends with 2 for a name that no project can have', async () => {
    const { code, err } = await init(await projectFolder({}), '--name', 'a\nb');
    expect(code).toBe(2);
    expect(err).toContain('cannot be the name of a project');
  });
});
