import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

const levada = fileURLToPath(new URL('../bin/levada.js', import.meta.url));

const wrong = {
  ...shop,
  'models/more.yml': `models:
  - name: more
    descripton: typo
    sql: SELECT id FROM {{ ref("order_clean") }}
`,
};

describe('levada project validate', () => {
  it('says what is in a valid project and ends with 0', async () => {
    const { code, out, err } = await runCommand(['project', 'validate', await projectFolder(shop)]);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: '✓ shop 1.0.0  1 source · 3 models · 1 test · 1 exposure\n',
      err: '',
    });
  });

  it('takes the working directory when no folder is named', async () => {
    const { code } = await runCommand(['project', 'validate'], { cwd: await projectFolder(shop) });
    expect(code).toBe(0);
  });

  it('prints every mistake with its line and caret, counts them, and ends with 1', async () => {
    const { code, out } = await runCommand(['project', 'validate', await projectFolder(wrong)]);
    expect(code).toBe(1);
    expect(out).toBe(
      [
        'models/more.yml:3:5  error  LV1301  unknown key "descripton" in model "more" — did you mean "description"?',
        '  3 |     descripton: typo',
        '    |     ^^^^^^^^^^',
        'models/more.yml:4:33  error  LV2004  model "more": model "order_clean" is not defined — did you mean "orders_clean"?',
        '  4 |     sql: SELECT id FROM {{ ref("order_clean") }}',
        '    |                                 ^^^^^^^^^^^',
        '✗ 2 errors in 1 file      details: levada project explain LV1301',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON of the published shape, with lines and columns from 1', async () => {
    const { code, out } = await runCommand([
      'project',
      'validate',
      '--format',
      'json',
      await projectFolder(wrong),
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      schema: 'levada.project-diagnostics/1',
      valid: false,
      diagnostics: [
        {
          code: 'LV1301',
          severity: 'error',
          file: 'models/more.yml',
          range: { start: { line: 3, column: 5 }, end: { line: 3, column: 15 } },
          path: 'models[0].descripton',
          object: 'model:more',
          hint: 'did you mean "description"?',
        },
        { object: 'model:more' },
      ],
    });
  });

  it.each([
    ['sarif', '"uri": "shop/stream_project.yml"'],
    ['github', '::error file=shop/stream_project.yml,'],
  ])('prints %s whose files are below the root of the repository, wherever it runs', async (format, text) => {
    const folder = await projectFolder({ 'shop/stream_project.yml': 'project: {}\n', '.git/HEAD': '' });
    const args = ['project', 'validate', '--format', format];
    expect((await runCommand([...args, 'shop'], { cwd: folder })).out).toContain(text);
    expect((await runCommand(args, { cwd: join(folder, 'shop') })).out).toContain(text);
  });

  it('takes the working directory for the root where there is no repository', async () => {
    const folder = await projectFolder({ 'shop/stream_project.yml': 'project: {}\n' });
    const { out } = await runCommand(['project', 'validate', 'shop', '--format', 'sarif'], { cwd: folder });
    expect(JSON.parse(out)).toMatchObject({ version: '2.1.0' });
    expect(out).toContain('"uri": "shop/stream_project.yml"');
  });

  it.each([
    ['github', '::error file=models/more.yml,line=3,'],
    ['junit', '<testsuite'],
  ])('prints %s', async (format, text) => {
    const { out } = await runCommand(['project', 'validate', '--format', format, await projectFolder(wrong)]);
    expect(out).toContain(text);
  });

  it('ends with 1 and a finding for a folder without a project file', async () => {
    const { code, out } = await runCommand(['project', 'validate', await projectFolder({})]);
    expect(code).toBe(1);
    expect(out).toContain('LV1001');
  });

  it.each([
    ['a folder that does not exist', ['nothing'], 'the folder "nothing" does not exist'],
    ['a file instead of a folder', ['stream_project.yml'], 'is no folder'],
    ['a day that no calendar has', ['--today', '2026-02-30'], 'expected a date such as'],
    ['a severity of an unknown code', ['--severity', 'LV9=off'], 'there is no code "LV9"'],
    ['a severity that is none', ['--severity', 'LV1301=fatal'], 'one of error, warning, info, off'],
    ['an unknown format', ['--format', 'xml'], 'Allowed choices are text, json, sarif, github, junit'],
  ])('ends with 2 for %s', async (_, args, message) => {
    const { code, err } = await runCommand(['project', 'validate', ...args], {
      cwd: await projectFolder(shop),
    });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('gives codes other severities, and ends with 1 for more warnings than allowed', async () => {
    const sql = 'SELECT id FROM {{ source("orders_raw") }} WHERE amount <> 0';
    const folder = await projectFolder({
      ...shop,
      'models/more.yml': `models: [{ name: more, sql: '${sql}', advanced: { engine: { state_backend: rocksdb } } }]\n`,
    });
    const validate = (...args: string[]) => runCommand(['project', 'validate', folder, ...args]);
    expect((await validate('--severity', 'parsed-only=warning')).code).toBe(0);
    expect((await validate('--severity', 'parsed-only=warning', '--max-warnings', '0')).code).toBe(1);
    const error = await validate('--severity', 'parsed-only=error');
    expect(error.code).toBe(1);
    expect(error.out).toMatch(/error {2}LV1303 .*state_backend/);
  });

  it('reads variables of the environment it is given, and never prints their values', async () => {
    const folder = await projectFolder({
      ...shop,
      'models/more.yml': `models: [{ name: "\${NAME}", sql: 'SELECT * FROM {{ ref("\${REF}") }}' }]\n`,
    });
    const { code, out } = await runCommand(['project', 'validate', folder], {
      env: { NAME: 'more', REF: 'hidden_value' },
    });
    expect(code).toBe(1);
    expect(out).toContain(`\${REF}`);
    expect(out).not.toContain('hidden_value');
  });

  it('uses ASCII where the locale has nothing else, and colors only where they are wanted', async () => {
    const folder = await projectFolder(wrong);
    const colored = { env: { FORCE_COLOR: '1', LC_ALL: 'C' } };
    const { out } = await runCommand(['project', 'validate', folder], colored);
    expect(out).toContain('\u001B[31merror\u001B[0m');
    expect(out).not.toMatch(/\P{ASCII}/u);
    const { out: plain } = await runCommand(['project', 'validate', folder, '--no-color'], colored);
    expect(plain).not.toContain('\u001B');
  });

  it('runs as a process of its own', async () => {
    const folder = await projectFolder(shop);
    const { stdout } = await promisify(execFile)(levada, ['project', 'validate'], { cwd: folder });
    expect(stdout).toContain('shop 1.0.0');
    const failed = await promisify(execFile)(levada, ['project', 'validate', join(folder, 'models')]).catch(
      (error: { code: number }) => error,
    );
    expect(failed).toHaveProperty('code', 1);
  });
});
