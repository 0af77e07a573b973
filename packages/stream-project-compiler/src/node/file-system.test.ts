import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entryOf } from '../report/catalogue.ts';
import { loadProjectFolder, nodeFileSystem } from './file-system.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-project-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text = ''): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function load() {
  const { value, diagnostics } = await loadProjectFolder(folder, { environment: {} });
  const found = diagnostics.map(({ code, range }) => `${entryOf(code).name} ${range.file}`);
  return { paths: value.files.map(({ path }) => path), found, value };
}

test('files of all four folders are read at any depth, in the same order', async () => {
  for (const path of [
    'stream_project.yml',
    'models/z.yml',
    'models/b/c/d.yaml',
    'models/b.yml',
    'exposures/e.yml',
    'sources/s.yml',
    'tests/t.YML',
  ])
    write(path);
  for (const path of [
    'other/x.yml',
    'models/.hidden.yml',
    'models/readme.md',
    'docker-compose.yml',
    'models/.git/x.yml',
  ])
    write(path, 'a: b');
  expect(await load()).toMatchObject({
    paths: [
      'stream_project.yml',
      'sources/s.yml',
      'models/b/c/d.yaml',
      'models/b.yml',
      'models/z.yml',
      'tests/t.YML',
      'exposures/e.yml',
    ],
    found: [],
  });
});

test('links within the project are followed once, others never', async () => {
  write('stream_project.yml');
  write('models/a.yml');
  write('shared/b.yml');
  symlinkSync('../shared', join(folder, 'models/linked'));
  symlinkSync('a.yml', join(folder, 'models/again.yml'));
  symlinkSync('..', join(folder, 'models/up'));
  symlinkSync('loop.yml', join(folder, 'models/loop.yml'));
  symlinkSync('/', join(folder, 'models/root'));
  symlinkSync('gone.yml', join(folder, 'models/broken.yml'));
  const { paths, found } = await load();
  expect(paths).toEqual(['stream_project.yml', 'models/a.yml', 'models/linked/b.yml']);
  expect(found.sort()).toEqual([
    'file-unreadable models/broken.yml',
    'file-unreadable models/loop.yml',
    'link-not-followed models/root',
    'link-not-followed models/up',
  ]);
});

test('a pipe is not opened', async () => {
  write('stream_project.yml');
  mkdirSync(join(folder, 'models'));
  execFileSync('mkfifo', [join(folder, 'models/pipe.yml')]);
  expect((await load()).found).toEqual(['file-unreadable models/pipe.yml']);
  expect(await nodeFileSystem(folder).read('models/pipe.yml', 100)).toEqual({
    kind: 'unreadable',
    reason: 'not a regular file',
  });
});

test('a folder with the name of a file is a folder', async () => {
  write('stream_project.yml');
  write('models/a.yml/b.yml');
  expect(await load()).toMatchObject({ paths: ['stream_project.yml', 'models/a.yml/b.yml'], found: [] });
});

test('a folder that does not exist, or is a file, is one finding beside the missing project file', async () => {
  write('file');
  for (const path of ['none', 'file']) {
    const { diagnostics } = await loadProjectFolder(join(folder, path), { environment: {} });
    expect(diagnostics.map(({ code }) => entryOf(code).name)).toEqual(['file-unreadable']);
  }
});

test('.env is read below the environment, and its mode is looked at', async () => {
  write('stream_project.yml');
  write('.env', 'A=file\nB=file\nC=\n');
  chmodSync(join(folder, '.env'), 0o600);
  const { value, diagnostics } = await loadProjectFolder(folder, {
    environment: { A: 'real', B: undefined },
  });
  expect([...value.variables]).toEqual([
    ['A', 'real'],
    ['B', 'file'],
    ['C', ''],
  ]);
  expect(diagnostics).toEqual([]);
});

test.each([
  ['DB_PASSWORD=x\n', 0o644, ['env-permissions .env']],
  ['DB_PASSWORD=x\n', 0o640, ['env-permissions .env']],
  ['DB_PASSWORD=x\n', 0o620, []],
  ['DB_PASSWORD=x\n', 0o600, []],
  ['DB_PASSWORD=\nSERVERS=localhost:9092\n', 0o644, []],
])('warns of .env only where others can read a secret: %j with mode %i', async (text, mode, expected) => {
  write('stream_project.yml');
  write('.env', text);
  chmodSync(join(folder, '.env'), mode);
  expect((await load()).found).toEqual(expected);
});

test('.env sets nothing in this process', async () => {
  write('stream_project.yml');
  write('.env', 'LEVADA_TEST_NEVER_SET=1\n');
  await load();
  expect(process.env['LEVADA_TEST_NEVER_SET']).toBeUndefined();
});

test.each(['.env', 'stream_project.yml'])(
  '%s that is a folder, or a link to outside, is refused',
  async (name) => {
    if (name !== 'stream_project.yml') write('stream_project.yml');
    mkdirSync(join(folder, name));
    expect((await load()).found).toEqual([`file-unreadable ${name}`]);
    rmSync(join(folder, name), { recursive: true });
    symlinkSync('/etc/hostname', join(folder, name));
    expect((await load()).found).toEqual([`file-unreadable ${name}`]);
  },
);

test('a file is read up to the limit and not beyond', async () => {
  write('a', 'x'.repeat(10_000));
  const files = nodeFileSystem(folder);
  expect(await files.read('a', 10_000)).toMatchObject({ kind: 'bytes', bytes: { length: 10_000 } });
  expect(await files.read('a', 9_999)).toEqual({ kind: 'too-large' });
  expect(await files.read('none', 10)).toEqual({ kind: 'unreadable', reason: 'it does not exist' });
  expect(await files.list('a')).toEqual({ kind: 'unreadable', reason: 'it is not a folder' });
});
