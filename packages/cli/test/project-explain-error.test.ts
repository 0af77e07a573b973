import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outputSchemas } from '../src/project/output-schemas.ts';
import { jsonSchemaMisfits } from './json-schema-misfits.ts';
import { projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

const text =
  "Exception\nSQL validation failed. From line 4, column 7 to line 4, column 12: Column 'amount' not found\n\tat x.Y";

/** The statement that holds the query of `orders_clean`: its view, which another model of the job reads. */
const view = ['--statement', '10'];

async function compiled(): Promise<string> {
  const cwd = await projectFolder(shop);
  expect((await runCommand(['project', 'compile'], { cwd })).code).toBe(0);
  return cwd;
}

const explain = (cwd: string, args: readonly string[], input?: string) =>
  runCommand(['project', 'explain-error', ...args], {
    cwd,
    ...(input === undefined ? {} : { input: () => Promise.resolve(input) }),
  });

describe('levada project explain-error', () => {
  it('shows what the engine said at the line of the project that it is about', async () => {
    const { code, out } = await explain(await compiled(), ['build/jobs/orders_clean.json', ...view], text);
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        "models/orders.yml:9:13  SQL validation failed. From line 4, column 7 to line 4, column 12: Column 'amount' not found",
        '  9 |       WHERE amount > 0',
        '    |             ^^^^^^',
        '',
      ].join('\n'),
    });
  });

  it('takes the place and the message as options', async () => {
    const cwd = await compiled();
    const job = 'build/jobs/orders_clean.json';
    const { out } = await explain(cwd, [
      job,
      ...view,
      '--line',
      '2',
      '--column',
      '12',
      '--message',
      'no such column',
    ]);
    expect(out).toContain('models/orders.yml:7:18  no such column\n');
    const last = await explain(cwd, [job, '--line', '7', '--column', '12', '--message', 'no such column']);
    expect(last.out).toContain('models/orders.yml:15:18  no such column\n');
    const data = JSON.parse(
      (await explain(cwd, [job, '--statement', '7', '--line', '1', '--format', 'json'])).out,
    );
    expect(jsonSchemaMisfits(data, outputSchemas['levada.project-error-place/2'])).toEqual([]);
    expect(data).toMatchObject({
      schema: 'levada.project-error-place/2',
      place: { kind: 'table', node: 'source:orders_raw', topic: 'orders.raw.v1' },
    });
  });

  it('shows the place alone where the project is elsewhere', async () => {
    const cwd = await compiled();
    const { out } = await explain(cwd, ['build/jobs/orders_clean.json', '--dir', 'nowhere'], text);
    expect(out.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    [['build/jobs/none.json'], text, 2, 'cannot be read'],
    [['stream_project.yml'], text, 2, 'is no job of levada.job/2'],
    [['build/manifest.json'], text, 2, 'is no job of levada.job/2'],
    [['build/jobs/orders_clean.json'], 'it failed', 2, 'names no place'],
    [['build/jobs/orders_clean.json'], undefined, 2, 'there is no text of the engine'],
    [['build/jobs/orders_clean.json', '--statement', '99', '--line', '1'], undefined, 1, 'in statement 99'],
  ])('ends with an error that says what to do for %j and %j', async (args, input, expected, message) => {
    const { code, err } = await explain(await compiled(), args, input);
    expect({ code, err }).toMatchObject({ code: expected, err: expect.stringContaining(message) });
  });

  it('refuses a file that only looks like a job', async () => {
    const cwd = await compiled();
    await writeFile(join(cwd, 'job.json'), '{"schema":"levada.job/2"}');
    expect((await explain(cwd, ['job.json'], text)).code).toBe(2);
  });
});
