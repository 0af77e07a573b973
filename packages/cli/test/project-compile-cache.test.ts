import { chmod, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ProjectFiles, projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

/** A project with a variable, in a folder with a cache of its own, compiled once; `mark` makes visible that the cache is used. */
async function compiledOnce({ files = {}, args = [] }: { files?: ProjectFiles; args?: string[] } = {}) {
  const cwd = await projectFolder({
    ...shop,
    'stream_project.yml': (shop['stream_project.yml'] ?? '').replace(
      'localhost:9092',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
      '${SERVERS:-localhost:9092}',
    ),
    ...files,
  });
  const caches = join(cwd, 'caches');
  const compile = (more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
    runCommand(['project', 'compile', '--out', 'out', ...args, ...more], {
      cwd,
      env: { XDG_CACHE_HOME: caches, ...env },
    });
  const first = await compile();
  expect(first.code).toBe(0);
  const entries = join(caches, 'levada/compile');
  for (const name of await readdir(entries)) {
    const entry = JSON.parse(await readFile(join(entries, name), 'utf8')) as object;
    await writeFile(join(entries, name), JSON.stringify({ ...entry, findings: 'from the cache\n' }));
  }
  return { cwd, compile, first, out: (path: string) => join(cwd, 'out', path) };
}

const isCached = ({ err }: { readonly err: string }) => err === 'from the cache\n';

describe('levada project compile, again', () => {
  it('says what is unchanged without compiling, in the same lines as with it', async () => {
    const { compile, first } = await compiledOnce();
    const again = await compile();
    expect(isCached(again)).toBe(true);
    expect(again.out).toBe(first.out.replaceAll('written  ', 'unchanged'));
    const json = await compile(['--format', 'json']);
    expect(isCached(json)).toBe(true);
    expect(JSON.parse(json.out)).toMatchObject({ project: { name: 'shop' } });
  });

  // Node's recursive mkdir never ends there
  it.runIf(process.platform === 'linux')(
    'the command compiles without a cache where no folder can be made for one',
    async () => {
      const { compile } = await compiledOnce();
      const found = await compile([], { XDG_CACHE_HOME: '/proc' });
      expect(found.code).toBe(0);
      expect(isCached(found)).toBe(false);
    },
  );

  it('writes a file of the output that was edited, even with its size and time kept', async () => {
    const { compile, out } = await compiledOnce();
    const path = out('jobs/orders_clean.sql');
    const text = await readFile(path, 'utf8');
    const { atime, mtime } = await stat(path);
    await writeFile(path, text.replace('amount > 0', 'amount > 1'));
    await utimes(path, atime, mtime);
    const again = await compile();
    expect(isCached(again)).toBe(false);
    expect(again.out).toContain('written    out/jobs/orders_clean.sql');
    expect(await readFile(path, 'utf8')).toBe(text);
    expect((await compile()).out).not.toContain('written');
  });

  it.each([
    ['is missing', (path: string) => rm(path)],
    ['may be written by others', (path: string) => chmod(path, 0o666)],
  ])('compiles when a file of the output %s', async (_, change) => {
    const { compile, out } = await compiledOnce();
    await change(out('manifest.json'));
    expect(isCached(await compile())).toBe(false);
  });

  it.each([
    ['a model differs', 'models/orders.yml', (text: string) => text.replace('amount > 0', 'amount > 1')],
    ['.env differs', '.env', () => 'SERVERS=other:9092\n'],
    ['there is a new file', 'sources/more.yml', () => 'sources:\n  - {name: more, topic: more.v1}\n'],
  ])('compiles when %s', async (_, path, edit) => {
    const { cwd, compile } = await compiledOnce();
    const before = await readFile(join(cwd, path), 'utf8').catch(() => '');
    await writeFile(join(cwd, path), edit(before));
    expect(isCached(await compile())).toBe(false);
  });

  it('compiles for another value of a variable that the project names, and not for others', async () => {
    const { compile } = await compiledOnce();
    expect(isCached(await compile([], { OTHER: 'x' }))).toBe(true);
    expect(isCached(await compile([], { SERVERS: 'other:9092' }))).toBe(false);
  });

  it.each([
    ['--engine-version', '1.20'],
    ['--today', '2030-01-01'],
    ['--severity', 'LV5001=off'],
    ['--connector-class', 'jdbc-sink=com.example.Sink'],
    ['--allow-incomplete'],
    ['--select', 'orders_clean'],
    ['--dry-run'],
  ])('compiles with another option %s', async (...more) => {
    const { compile } = await compiledOnce();
    expect(isCached(await compile(more))).toBe(false);
  });

  it('keeps nothing of a project with errors', async () => {
    const { cwd, compile } = await compiledOnce();
    await writeFile(join(cwd, 'models/orders.yml'), 'models: [{name: a, sql: SELECT}]\n');
    expect((await compile()).code).toBe(1);
    expect((await compile()).code).toBe(1);
  });
});
