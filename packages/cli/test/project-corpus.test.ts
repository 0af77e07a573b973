import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const root = fileURLToPath(new URL('../../stream-project-schema/test/corpus/projects/', import.meta.url));
// Some of every kind; the compiler's own tests look at all of them.
const projects = readdirSync(root)
  .sort()
  .filter((_, index) => index % 6 === 0);

it.each(projects)('runs every command on %s without an internal error', async (id) => {
  const dir = `${root}${id}`;
  const validated = await runCommand(['project', 'validate', dir]);
  expect([0, 1]).toContain(validated.code);
  for (const args of [
    ['ls', dir],
    ['lineage', dir, '--columns'],
    ['lineage', dir, '--format', 'dot'],
    ['compile', dir, '--dry-run'],
  ]) {
    expect((await runCommand(['project', ...args])).code).toBe(validated.code);
  }
  const { out } = await runCommand(['project', 'ls', dir, '-o', 'name', '--select', 'model:*']);
  for (const name of out.match(/^model:.+$/gm) ?? [])
    expect((await runCommand(['project', 'explain', dir, name])).code).toBe(0);
});
