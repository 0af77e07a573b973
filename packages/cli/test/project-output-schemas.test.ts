import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jsonSchemaMisfits } from './json-schema-misfits.ts';
import { projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

const wrong = {
  ...shop,
  'models/wrong.yml':
    'models: [{ name: orders_clean, sql: SELECT 1 }, { name: a, sql: \'SELECT x FROM {{ ref("b") }}\' }]\n',
};

/** What a command prints, and which shape it says that it has. */
async function printed(files: Readonly<Record<string, string>>, args: readonly string[]) {
  const interrupt = new AbortController();
  const onOut = () => interrupt.abort();
  const cwd = await projectFolder(files);
  const { out } = await runCommand(['project', ...args], { cwd, signal: interrupt.signal, onOut });
  return JSON.parse(out) as { readonly schema: string };
}

it.each([
  ['levada.project-diagnostics/1', ['validate', '--format', 'json']],
  ['levada.project-list/1', ['ls', '-o', 'json']],
  ['levada.lineage/1', ['lineage', '--format', 'json', '--columns']],
  ['levada.project-column/1', ['lineage', '--format', 'json', '--column', 'orders_clean.id']],
  ['levada.project-manifest/2', ['compile', '--format', 'json', '--dry-run']],
  ['levada.project-explanation/1', ['explain', 'hourly_revenue', '--format', 'json']],
  ['levada.project-code/1', ['explain', 'LV1301', '--format', 'json']],
  ['levada.project-dev/1', ['dev', '--format', 'json']],
])('publishes a schema of %s that describes what %j prints', async (shape, args) => {
  const out = await projectFolder({});
  await runCommand(['project', 'schema', '--outputs', '--out', out]);
  const value = await printed(shop, args);
  expect(value.schema).toBe(shape);
  expect(await readdir(out)).toContain(`${shape.replace('/', '.')}.schema.json`);
  const schemaOf = (id: string) =>
    JSON.parse(readFileSync(join(out, `${id.replace('/', '.')}.schema.json`), 'utf8')) as unknown;
  expect(jsonSchemaMisfits(value, schemaOf(shape))).toEqual([]);
  const ofWrong = await printed(wrong, args);
  expect(jsonSchemaMisfits(ofWrong, schemaOf(ofWrong.schema))).toEqual([]);
});
