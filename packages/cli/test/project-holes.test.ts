import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

/** A model whose SQL needs columns that nothing declares, and a test of it. */
const withHole = {
  ...shop,
  'sources/more.yml': 'sources:\n  - { name: clicks, topic: clicks.v1, owner: team-shop }\n',
  'models/more.yml': `models:
  - name: late_clicks
    description: Clicks with a mark
    owner: team-shop
    sql: |
      SELECT *, 'late' AS mark FROM {{ source("clicks") }}
`,
  'tests/more.yml': `tests:
  - name: clicks_have_marks
    model: late_clicks
    type: continuous
    assertions:
      - not_null: { columns: [mark] }
`,
};
const holes = [
  { object: 'model:late_clicks', reason: expect.stringContaining('columns') },
  { object: 'test:clicks_have_marks', reason: expect.stringContaining('late_clicks') },
];

it('validate and compile end with 6 for a valid project with a hole, say which, and write nothing', async () => {
  const cwd = await projectFolder(withHole);
  const line =
    'levada: incomplete: no job can be written for model:late_clicks, test:clicks_have_marks; --allow-incomplete accepts that\n';
  for (const command of ['validate', 'compile']) {
    const { code, out, err } = await runCommand(['project', command], { cwd });
    expect([command, code]).toEqual([command, 6]);
    expect(err).toContain(line);
    expect(out + err).toContain('LV5001');
    expect(out + err).toContain('LV5020');
  }
  expect(await readdir(cwd)).not.toContain('build');
});

it('--allow-incomplete ends both commands with 0, and the manifest lists the holes', async () => {
  const cwd = await projectFolder(withHole);
  expect((await runCommand(['project', 'validate', '--allow-incomplete'], { cwd })).code).toBe(0);
  expect((await runCommand(['project', 'compile', '--allow-incomplete'], { cwd })).code).toBe(0);
  expect(JSON.parse(await readFile(join(cwd, 'build/manifest.json'), 'utf8'))).toMatchObject({ holes });
});

it('JSON of validate has the holes of a project that is valid and not complete', async () => {
  const cwd = await projectFolder(withHole);
  const { code, out } = await runCommand(['project', 'validate', '--format', 'json'], { cwd });
  expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({
    code: 6,
    valid: true,
    complete: false,
    holes,
  });
});

it('a severity does not fill a hole', async () => {
  const cwd = await projectFolder(withHole);
  const off = ['--severity', 'LV5001=off', '--severity', 'LV5020=off'];
  for (const command of ['validate', 'compile'])
    expect((await runCommand(['project', command, ...off], { cwd })).code).toBe(6);
});

it('a part of a project without its holes is complete', async () => {
  const cwd = await projectFolder(withHole);
  for (const command of ['validate', 'compile']) {
    const { code } = await runCommand(['project', command, '--select', 'orders_clean'], { cwd });
    expect([command, code]).toEqual([command, 0]);
  }
});
