import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

const levada = fileURLToPath(new URL('../bin/levada.js', import.meta.url));
const compile = (cwd: string, ...args: string[]) => runCommand(['project', 'compile', ...args], { cwd });

describe('levada project compile', () => {
  it('writes the manifest and an artifact for each topic, job, test and connector, and names them', async () => {
    const cwd = await projectFolder(shop);
    const { code, out, err } = await compile(cwd, '--out', 'out');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.trimEnd().split('\n')).toEqual([
      'written    out/connectors/orders_warehouse.json',
      'written    out/jobs/orders_clean.json',
      'written    out/jobs/orders_clean.sql',
      'written    out/manifest.json',
      'written    out/schemas/hourly_revenue-value.json',
      'written    out/schemas/orders_clean-value.json',
      'written    out/tests/orders_are_keyed.json',
      'written    out/topics/hourly_revenue.json',
      'written    out/topics/orders_clean.json',
    ]);
    expect(await readdir(join(cwd, 'out'))).toEqual([
      'connectors',
      'jobs',
      'manifest.json',
      'schemas',
      'tests',
      'topics',
    ]);
    const again = await compile(cwd, '--out', 'out');
    expect(again.out).not.toContain('written');
  });

  it('prints the manifest as JSON, the same that it writes', async () => {
    const cwd = await projectFolder(shop);
    const { out } = await compile(cwd, '--format', 'json', '--out', 'out', '.');
    expect(out).toBe(await readFile(join(cwd, 'out/manifest.json'), 'utf8'));
    const manifest = JSON.parse(out) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      edges: expect.arrayContaining([['source:orders_raw', 'model:orders_clean']]),
      order: ['model:orders_clean', 'model:hourly_revenue', 'model:orders_warehouse'],
      artifacts: { virtual_topics: [] },
    });
    expect(manifest['models']).toContainEqual(
      expect.objectContaining({
        name: 'orders_clean',
        materialized: 'topic',
        columns: [
          expect.objectContaining({ name: 'id', type: 'STRING' }),
          expect.objectContaining({ name: 'amount', type: 'DECIMAL(10, 2)' }),
          expect.objectContaining({ name: 'ts', type: 'TIMESTAMP(3)' }),
        ],
      }),
    );
  });

  it('writes nothing and reports as validate does when the project is not valid', async () => {
    const cwd = await projectFolder({ ...shop, 'models/wrong.yml': 'models: [{ nam: x }]\n' });
    const { code, out } = await compile(cwd, '--format', 'json');
    expect(code).toBe(1);
    expect(out).toBe((await runCommand(['project', 'validate', '--format', 'json'], { cwd })).out);
    expect(await readdir(cwd)).not.toContain('build');
  });

  it('writes nothing on a dry run', async () => {
    const cwd = await projectFolder(shop);
    const { code, out } = await compile(cwd, '--dry-run');
    expect(code).toBe(0);
    expect(out).toContain('topics/orders_clean.json\n');
    expect(await readdir(cwd)).not.toContain('build');
  });

  it('writes the class that the command line gives a word, rather than that of the project', async () => {
    const own =
      '    connector_classes: {warehouse-sink: com.example.FromProject, search-sink: com.example.Search}\n';
    const text = shop['stream_project.yml'] ?? '';
    const withClasses = text.replace('  connect:\n', `  connect:\n${own}`);
    expect(withClasses).not.toBe(text);
    const cwd = await projectFolder({ ...shop, 'stream_project.yml': withClasses });
    const classIn = async () => {
      const file = await readFile(join(cwd, 'build/connectors/orders_warehouse.json'), 'utf8');
      return (JSON.parse(file) as { config: Record<string, string> }).config['connector.class'];
    };
    expect((await compile(cwd)).code).toBe(0);
    expect(await classIn()).toBe('com.example.FromProject');
    await compile(cwd, '--connector-class', 'warehouse-sink=com.example.FromCommand');
    expect(await classIn()).toBe('com.example.FromCommand');
  });

  it.each(['jdbc=com.example.Jdbc', 'jdbc-sink', 'jdbc-sink=Jdbc', 'jdbc-sink=com.example.Jdbc=x'])(
    'ends with 2 for --connector-class %s',
    async (setting) => {
      const { code, err } = await compile(await projectFolder(shop), '--connector-class', setting);
      expect(code).toBe(2);
      expect(err).toContain(`"${setting}" is not word=class`);
    },
  );

  it('ends with 4 when the output cannot be written', async () => {
    const cwd = await projectFolder(shop);
    await writeFile(join(cwd, 'build'), 'a file');
    const { code, err } = await compile(cwd);
    expect(code).toBe(4);
    expect(err).toContain('cannot write to "build"');
  });

  it.skipIf(spawnSync('prlimit', ['--version']).error !== undefined)(
    'leaves everything as it was when the disk has no room for all (needs prlimit of Linux)',
    async () => {
      const cwd = await projectFolder(shop);
      expect((await compile(cwd)).code).toBe(0);
      const before = await contents(join(cwd, 'build'));
      const models = join(cwd, 'models/orders.yml');
      await writeFile(models, (await readFile(models, 'utf8')).replace('amount > 0', 'amount > 1'));
      const limited = ['--fsize=4000', levada, 'project', 'compile'];
      const { status, stderr } = spawnSync('prlimit', limited, { cwd, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 4, stderr: expect.stringContaining('EFBIG') });
      expect(await contents(join(cwd, 'build'))).toEqual(before);
      expect((await compile(cwd)).code).toBe(0);
      expect(await contents(join(cwd, 'build'))).not.toEqual(before);
    },
  );
});

/** Texts of all files below a folder. */
async function contents(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
  );
}
