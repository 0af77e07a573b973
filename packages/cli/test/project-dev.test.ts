import { spawn } from 'node:child_process';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ProjectFiles, projectFolder, shop, writeFiles } from './project-folder.ts';
import { runCommand } from './run-command.ts';

const levada = fileURLToPath(new URL('../bin/levada.js', import.meta.url));

interface Run {
  readonly valid: boolean;
  readonly milliseconds: number;
  readonly added: readonly { readonly code: string; readonly file: string }[];
  readonly removed: readonly { readonly code: string }[];
  readonly files?: { readonly written: readonly string[]; readonly removed: readonly string[] };
}

/** A `levada project dev --format json` that has checked the project once. */
async function dev(files: ProjectFiles, ...more: readonly string[]) {
  const cwd = await projectFolder(files);
  const end = new AbortController();
  let lines: readonly string[] = [];
  let wake: () => void = () => undefined;
  const ended = runCommand(['project', 'dev', '--format', 'json', ...more], {
    cwd,
    signal: end.signal,
    onOut: (out) => {
      lines = out.trimEnd().split('\n');
      wake();
    },
  });
  onTestFinished(async () => {
    end.abort();
    await ended;
  });
  let seen = 0;
  /** The first run after those that were seen for which this holds: half of a save may be seen too. */
  const until = async (holds: (run: Run) => boolean): Promise<Run> => {
    for (;;) {
      const found = lines.slice(seen).find((line) => {
        seen += 1;
        return holds(JSON.parse(line) as Run);
      });
      if (found !== undefined) return JSON.parse(found) as Run;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  await until(() => true);
  return { cwd, until, stop: () => end.abort(), ended };
}

/** Puts a whole file in place, of which no half can be seen. */
async function save(path: string, text: string): Promise<void> {
  const unfinished = join(path, '../.unfinished');
  await writeFile(unfinished, text);
  await rename(unfinished, path);
}

const isValid = ({ valid }: Run) => valid;
const isWrong = ({ valid }: Run) => !valid;

const wrong = 'models: [{ name: more, colour: red, sql: \'SELECT id FROM {{ ref("orders_clean") }}\' }]\n';
const right = wrong.replace('colour: red, ', '');

describe('levada project dev', () => {
  it('prints the findings that a save adds and removes', async () => {
    const { cwd, until } = await dev({ ...shop, 'models/more.yml': right });
    await writeFile(join(cwd, 'models/more.yml'), wrong);
    const added = [{ code: 'LV1301', file: 'models/more.yml' }];
    expect(await until(isWrong)).toMatchObject({ schema: 'levada.project-dev/1', errors: 1, added });
    await writeFile(join(cwd, 'models/more.yml'), right);
    expect(await until(isValid)).toMatchObject({ errors: 0, added: [], removed: [{ code: 'LV1301' }] });
  });

  it('writes what a save changes of the compiled project, and removes what is gone', async () => {
    const { cwd, until } = await dev(shop, '--out', 'build');
    expect(await readdir(join(cwd, 'build/jobs'))).toContain('orders_clean.sql');
    await save(join(cwd, 'models/more.yml'), right);
    const jobs = [
      'jobs/orders_clean.json',
      'jobs/orders_clean.sql',
      'manifest.json',
      'schemas/more-value.json',
      'topics/more.json',
    ];
    expect(await until(isValid)).toMatchObject({ files: { written: jobs, removed: [] } });
    await save(join(cwd, 'models/more.yml'), wrong);
    expect((await until(isWrong)).files).toBeUndefined();
    expect(await readdir(join(cwd, 'build/topics'))).toContain('more.json');
    await rm(join(cwd, 'models/more.yml'));
    const gone = ['schemas/more-value.json', 'topics/more.json'];
    expect(await until(isValid)).toMatchObject({ files: { written: jobs.slice(0, 3), removed: gone } });
    expect(await readdir(join(cwd, 'build/topics'))).not.toContain('more.json');
  });

  it('sees files that editors put in the place of others, and files that are gone', async () => {
    const { cwd, until } = await dev({ ...shop, 'models/more.yml': right });
    await writeFile(join(cwd, 'models/.more.yml.swp'), wrong);
    await rename(join(cwd, 'models/.more.yml.swp'), join(cwd, 'models/more.yml'));
    expect(await until(isWrong)).toMatchObject({ errors: 1 });
    await rm(join(cwd, 'models/more.yml'));
    expect(await until(isValid)).toMatchObject({ errors: 0 });
  });

  it('sees folders that are added, that go, and that come back', async () => {
    const { cwd, until } = await dev(shop);
    for (let round = 0; round < 2; round += 1) {
      await mkdir(join(cwd, 'models/deep/deeper'), { recursive: true });
      await writeFile(join(cwd, 'models/deep/deeper/more.yml'), wrong);
      expect(await until(isWrong)).toMatchObject({ added: [{ file: 'models/deep/deeper/more.yml' }] });
      await writeFile(join(cwd, 'models/deep/deeper/more.yml'), right);
      expect(await until(isValid)).toMatchObject({ errors: 0 });
      await rm(join(cwd, 'models/deep'), { recursive: true });
      expect(await until(isValid)).toMatchObject({ errors: 0 });
    }
  });

  it('sees changes of .env and of linked files', async () => {
    const { cwd, until } = await dev({
      ...shop,
      'parts/more.yml': right,
      'models/env.yml':
        'models: [{ name: env, sql: "SELECT id FROM {{ source(\'orders_raw\') }}", owner: "$' +
        '{OWNER}" }]\n',
    });
    await writeFile(join(cwd, '.env'), 'OWNER=me\n', { mode: 0o600 });
    expect(await until(isValid)).toMatchObject({ errors: 0 });
    await symlink('../parts/more.yml', join(cwd, 'models/more.yml'));
    expect(await until(isValid)).toMatchObject({ errors: 0 });
    await writeFile(join(cwd, 'parts/more.yml'), wrong);
    expect(await until(isWrong)).toMatchObject({ errors: 1 });
  });

  it('says nothing about files that are not of the project', async () => {
    const { cwd, until } = await dev(shop);
    await writeFiles(cwd, { 'build/manifest.json': '{}', 'models/notes.txt': 'x' });
    await writeFile(join(cwd, 'models/more.yml'), wrong);
    expect(await until(isWrong)).toMatchObject({ errors: 1 });
  });

  it('sees the folder of the project go and come back', async () => {
    const { cwd, until } = await dev(shop);
    await rename(cwd, `${cwd}-moved`);
    onTestFinished(() => rm(`${cwd}-moved`, { recursive: true, force: true }));
    expect(await until(isWrong)).toMatchObject({ added: [{ code: 'LV1003' }] });
    await rename(`${cwd}-moved`, cwd);
    expect(await until(isValid)).toMatchObject({ errors: 0 });
    await writeFile(join(cwd, 'models/more.yml'), wrong);
    expect(await until(isWrong)).toMatchObject({ added: [{ file: 'models/more.yml' }] });
  });

  it('ends with 0 when it is interrupted', async () => {
    const { stop, ended } = await dev(shop);
    stop();
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });

  it('prints text for people, and ends as a process on SIGINT', async () => {
    const cwd = await projectFolder({ ...shop, 'models/more.yml': wrong });
    const child = spawn(levada, ['project', 'dev'], { cwd });
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (/✗ .* ms\)\n/.test(out)) first.resolve();
      if (/✓ .* ms\)\n/.test(out)) second.resolve();
    });
    await first.promise;
    await writeFile(join(cwd, 'models/more.yml'), right);
    await second.promise;
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(0);
    expect(out).toContain('models/more.yml:1:');
    expect(out).toContain('\ngone: models/more.yml:1:');
  });
});
