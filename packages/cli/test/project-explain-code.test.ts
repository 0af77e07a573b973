import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

it.each(['LV2003', 'lv2003', 'unknown-source'])(
  'levada project explain %s says what the code means',
  async (name) => {
    const { code, out } = await runCommand(['project', 'explain', name]);
    expect(code).toBe(0);
    expect(out).toMatch(/^LV2003 {2}unknown-source {2}\(error\)\nUnknown source\n\n/);
  },
);

it('levada project explain prints a code as JSON', async () => {
  const { out } = await runCommand(['project', 'explain', 'parsed-only', '--format', 'json']);
  expect(JSON.parse(out)).toMatchObject({
    schema: 'levada.project-code/1',
    name: 'parsed-only',
    fixed: false,
  });
});

it('levada project explain names the nearest code and ends with 1 for one that does not exist', async () => {
  const { code, err } = await runCommand(['project', 'explain', 'unknown-sorce']);
  expect(code).toBe(1);
  expect(err).toContain('did you mean "unknown-source"?');
});
