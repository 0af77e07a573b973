import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outputSchemas } from '../src/project/output-schemas.ts';
import { jsonSchemaMisfits } from './json-schema-misfits.ts';
import { projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

const compile = (cwd: string, ...args: string[]) => runCommand(['project', 'compile', ...args], { cwd });

const models = shop['models/orders.yml'] ?? '';

async function compiled(): Promise<string> {
  const cwd = await projectFolder(shop);
  expect((await compile(cwd)).code).toBe(0);
  return cwd;
}

const edit = (cwd: string, from: string, to: string) => {
  expect(models).toContain(from);
  return writeFile(join(cwd, 'models/orders.yml'), models.replace(from, to));
};

const manifestIn = async (cwd: string) =>
  JSON.parse(await readFile(join(cwd, 'build/manifest.json'), 'utf8')) as {
    readonly artifacts: Readonly<Record<string, readonly { readonly name: string }[]>>;
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
  };

/** Whether the manifest says of each file in the folder what it is. */
async function expectTrueHashes(cwd: string): Promise<void> {
  const { files } = await manifestIn(cwd);
  for (const { path, sha256 } of files) {
    const bytes = await readFile(join(cwd, 'build', path));
    expect([path, createHash('sha256').update(bytes).digest('hex')]).toEqual([path, sha256]);
  }
  const all = await readdir(join(cwd, 'build'), { recursive: true, withFileTypes: true });
  expect(all.filter((entry) => entry.isFile())).toHaveLength(files.length + 1);
}

describe('levada project compile --diff', () => {
  it('ends with 0 and prints nothing when nothing would change', async () => {
    expect(await compile(await compiled(), '--diff')).toMatchObject({ code: 0, out: '' });
  });

  it('shows what would change as a patch, writes nothing and ends with 3', async () => {
    const cwd = await compiled();
    const before = await readFile(join(cwd, 'build/manifest.json'), 'utf8');
    await edit(cwd, 'amount > 0', 'amount > 5');
    const { code, out } = await compile(cwd, '--diff');
    expect(code).toBe(3);
    expect(out.split('\n').slice(0, 11)).toEqual([
      '--- a/jobs/orders_clean.sql',
      '+++ b/jobs/orders_clean.sql',
      expect.stringMatching(/^@@ -\d+,\d+ \+\d+,\d+ @@$/),
      ' CREATE TEMPORARY VIEW `orders_clean` (`id`, `amount`, `ts`) AS',
      ' SELECT id, amount, ts',
      ' FROM `orders_raw`',
      '-WHERE amount > 0;',
      '+WHERE amount > 5;',
      ' ',
      ' EXECUTE STATEMENT SET',
      ' BEGIN',
    ]);
    expect(out.endsWith('1 file differs in places of the project alone\n')).toBe(true);
    expect(await readFile(join(cwd, 'build/manifest.json'), 'utf8')).toBe(before);
  });

  it('names files that come and go, also as JSON', async () => {
    const cwd = await compiled();
    await edit(cwd, 'name: orders_clean\n', 'name: orders_good\n');
    await writeFile(join(cwd, 'models/orders.yml'), models.replaceAll('orders_clean', 'orders_good'));
    await writeFile(join(cwd, 'tests/orders.yml'), 'tests: []\n');
    const { code, out } = await compile(cwd, '--diff', '--format', 'json');
    expect(code).toBe(3);
    const data = JSON.parse(out) as {
      readonly changes: readonly { readonly path: string; readonly change: string }[];
    };
    expect(jsonSchemaMisfits(data, outputSchemas['levada.project-diff/1'])).toEqual([]);
    const said = data.changes.map(({ path, change }) => `${change} ${path}`);
    expect(said).toContain('removed jobs/orders_clean.sql');
    expect(said).toContain('added jobs/orders_good.sql');
    expect(said).toContain('changed connectors/orders_warehouse.json');
  });

  it('counts no change where only places differ', async () => {
    const cwd = await compiled();
    await edit(cwd, 'models:\n', '# What is sold\nmodels:\n');
    const { code, out } = await compile(cwd, '--diff');
    expect({ code, out }).toEqual({ code: 0, out: '2 files differ in places of the project alone\n' });
  });

  it('shows nothing of files that hold a secret', async () => {
    const cwd = await projectFolder(shop);
    const withSecret = (password: string) => edit(cwd, 'tasks.max: 1', `trust.password: ${password}`);
    const lenient = ['--severity', 'secret-in-clear=warning'];
    await withSecret('canary-one');
    await compile(cwd, ...lenient);
    await withSecret('canary-two');
    const { code, out } = await compile(cwd, '--diff', ...lenient);
    expect(code).toBe(3);
    expect(out).toContain('changed  connectors/orders_warehouse.json  (not shown, it holds a secret)\n');
    await edit(cwd, 'tasks.max: 1', 'tasks.max: 2');
    const without = await compile(cwd, '--diff');
    expect(out + without.out).not.toContain('canary');
  });
});

describe('levada project compile --select', () => {
  it('writes what is selected, with the whole job of a model, and keeps everything else as it is', async () => {
    const cwd = await compiled();
    const sql = () => readFile(join(cwd, 'build/jobs/orders_clean.sql'), 'utf8');
    await writeFile(join(cwd, 'models/orders.yml'), models.replace("'1' HOUR", "'2' HOUR"));
    const { code, out } = await compile(cwd, '--select', 'hourly_revenue');
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        'written    build/jobs/orders_clean.json',
        'written    build/jobs/orders_clean.sql',
        'written    build/manifest.json',
        'unchanged  build/schemas/hourly_revenue-value.json',
        'unchanged  build/schemas/orders_clean-value.json',
        'unchanged  build/tests/orders_are_keyed.json',
        'unchanged  build/topics/hourly_revenue.json',
        'unchanged  build/topics/orders_clean.json',
        '',
      ].join('\n'),
    });
    expect(await sql()).toContain("INTERVAL '2' HOUR");
    await expectTrueHashes(cwd);
  });

  it('a job is written with the topics of all its models', async () => {
    const cwd = await projectFolder(shop);
    await compile(cwd, '--select', 'hourly_revenue');
    const { artifacts } = await manifestIn(cwd);
    expect(artifacts['topics']?.map(({ name }) => name)).toEqual(['hourly_revenue', 'orders_clean']);
    expect(artifacts['order']).toEqual(
      expect.arrayContaining(['topic:hourly_revenue', 'topic:orders_clean', 'job:orders_clean']),
    );
    await expectTrueHashes(cwd);
  });

  it('lists nothing that is not in the folder', async () => {
    const cwd = await projectFolder(shop);
    await compile(cwd, '--select', '+hourly_revenue', '--exclude', 'orders_raw');
    const { artifacts } = await manifestIn(cwd);
    expect(artifacts['jobs']?.map(({ name }) => name)).toEqual(['orders_clean']);
    expect(artifacts['connectors']).toEqual([]);
    await expectTrueHashes(cwd);
    await rm(join(cwd, 'build/manifest.json'));
    await writeFile(join(cwd, 'build/manifest.json'), '[]');
    await compile(cwd, '--select', 'orders_warehouse');
    expect((await manifestIn(cwd)).artifacts['jobs']).toEqual([]);
  });

  it('compares only what is selected', async () => {
    const cwd = await compiled();
    await edit(cwd, 'amount > 0', 'amount > 5');
    expect((await compile(cwd, '--diff', '--select', 'orders_warehouse')).code).toBe(0);
    expect((await compile(cwd, '--diff', '--select', 'hourly_revenue')).code).toBe(3);
  });

  it('ends with 2 for a selector that cannot be right', async () => {
    expect((await compile(await projectFolder(shop), '--select', 'colour:red')).code).toBe(2);
  });
});

describe('levada project compile --engine-version', () => {
  it('compiles and checks for that version, whatever the clusters say', async () => {
    const cwd = await projectFolder(shop);
    await compile(cwd, '--engine-version', '2.1');
    const job = JSON.parse(await readFile(join(cwd, 'build/jobs/orders_clean.json'), 'utf8')) as object;
    expect(job).toMatchObject({ engine_version: '2.1' });
    await edit(cwd, 'SELECT id, amount, ts\n', 'SELECT id, PARSE_JSON(id) IS NULL AS n, amount, ts\n');
    expect((await compile(cwd, '--engine-version', '2.2')).code).toBe(0);
    const { code, out } = await compile(cwd, '--engine-version', '1.20');
    expect(code).toBe(1);
    expect(out).toContain('PARSE_JSON');
    expect(out).toContain('the given version of the engine is "1.20"');
  });

  it.each(['2', 'latest', '2.x', 'v2.2'])('ends with 2 for the version %s', async (version) => {
    const { code, err } = await compile(await projectFolder(shop), '--engine-version', version);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected a version such as 2.1'),
    });
  });
});
