import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFiles } from './write-files.ts';

let top: string;
let folder: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'levada-output-'));
  folder = join(top, 'out');
});

afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});

/** A compilation of topics, as far as its files go. */
function output(...names: readonly string[]): ReadonlyMap<string, string> {
  const topics = names.map((name) => ({ name, config: {} }));
  const manifest = { schema: 'levada.project-manifest/2', artifacts: { topics } };
  return new Map([
    ['manifest.json', `${JSON.stringify(manifest)}\n`],
    ...topics.map((topic) => [`topics/${topic.name}.json`, `${JSON.stringify(topic)}\n`] as const),
  ]);
}

const all = () => readdirSync(folder, { recursive: true }).map(String).sort();

test('files are written below a folder that is made for them', async () => {
  expect(await writeFiles(folder, output('a', 'b'))).toEqual({
    written: ['manifest.json', 'topics/a.json', 'topics/b.json'],
    unchanged: [],
    removed: [],
  });
  expect(all()).toEqual(['manifest.json', 'topics', 'topics/a.json', 'topics/b.json']);
  expect(readFileSync(join(folder, 'topics/a.json'), 'utf8')).toBe('{"name":"a","config":{}}\n');
});

test('files that are the same are left alone', async () => {
  await writeFiles(folder, output('a'));
  const { ino } = statSync(join(folder, 'topics/a.json'));
  expect(await writeFiles(folder, output('a', 'b'))).toEqual({
    written: ['manifest.json', 'topics/b.json'],
    unchanged: ['topics/a.json'],
    removed: [],
  });
  expect(statSync(join(folder, 'topics/a.json')).ino).toBe(ino);
});

test('files that the call before wrote are written again only where they are missing or others now', async () => {
  const first = output('a', 'b', 'gone');
  await writeFiles(folder, first);
  rmSync(join(folder, 'topics/a.json'));
  const next = new Map([...output('a', 'b'), ['topics/b.json', 'another\n']]);
  expect(await writeFiles(folder, next, { before: first })).toEqual({
    written: ['manifest.json', 'topics/a.json', 'topics/b.json'],
    unchanged: [],
    removed: ['topics/gone.json'],
  });
  expect(await writeFiles(folder, next, { before: next })).toMatchObject({ written: [], removed: [] });
  expect(readFileSync(join(folder, 'topics/b.json'), 'utf8')).toBe('another\n');
});

test('files that the call before wrote are not read', async () => {
  const first = output('a', 'b');
  await writeFiles(folder, first);
  writeFileSync(join(folder, 'topics/a.json'), 'mine');
  writeFileSync(join(folder, 'topics/b.json'), 'another\n');
  const next = new Map([...first, ['topics/b.json', 'another\n']]);
  expect(await writeFiles(folder, next, { before: first })).toMatchObject({ written: ['topics/b.json'] });
  expect(readFileSync(join(folder, 'topics/a.json'), 'utf8')).toBe('mine');
});

test('artifacts of an earlier compilation are removed, and nothing else', async () => {
  await writeFiles(folder, output('a', 'b', 'gone'));
  writeFileSync(join(folder, 'topics/mine.json'), 'mine');
  rmSync(join(folder, 'topics/gone.json'));
  expect(await writeFiles(folder, output('b'))).toMatchObject({ removed: ['topics/a.json'] });
  expect(all()).toEqual(['manifest.json', 'topics', 'topics/b.json', 'topics/mine.json']);
});

test.each([
  'no JSON',
  '{"schema":"another/1","artifacts":{"topics":[{"name":"mine"}]}}',
  '[]',
  'null',
  '{"schema":1}',
])('nothing is removed for a manifest that is none: %s', async (text) => {
  mkdirSync(join(folder, 'topics'), { recursive: true });
  writeFileSync(join(folder, 'topics/mine.json'), 'mine');
  writeFileSync(join(folder, 'manifest.json'), text);
  expect(await writeFiles(folder, output('a'))).toMatchObject({ removed: [] });
  expect(existsSync(join(folder, 'topics/mine.json'))).toBe(true);
});

test('a manifest that was tampered with removes nothing outside of the folder', async () => {
  await writeFiles(folder, output('a'));
  for (const name of ['victim.json', 'out/topics/x.json']) writeFileSync(join(top, name), 'mine');
  const names = ['../../victim', '/etc/passwd', '..', '', 7, null];
  const artifacts = { topics: names.map((name) => ({ name })), connectors: 'x', virtual_topics: [null] };
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ schema: 'levada.project-manifest/2', artifacts }),
  );
  expect(await writeFiles(folder, output('a'))).toMatchObject({ removed: [] });
  expect(existsSync(join(top, 'victim.json'))).toBe(true);
});

test('links are neither followed nor replaced', async () => {
  const outside = join(top, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.json'), 'mine');
  mkdirSync(folder);
  symlinkSync(outside, join(folder, 'topics'));
  await expect(writeFiles(folder, output('a'))).rejects.toThrow(/topics" is not a folder/);
  rmSync(join(folder, 'topics'));
  mkdirSync(join(folder, 'topics'));
  symlinkSync(join(outside, 'a.json'), join(folder, 'topics/a.json'));
  await expect(writeFiles(folder, output('a'))).rejects.toThrow(/a\.json" is not a regular file/);
  expect(readFileSync(join(outside, 'a.json'), 'utf8')).toBe('mine');
});

test('a link in place of a folder of stale files keeps what it leads to', async () => {
  await writeFiles(folder, output('a'));
  rmSync(join(folder, 'topics'), { recursive: true });
  const outside = join(top, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.json'), 'mine');
  symlinkSync(outside, join(folder, 'topics'));
  expect(await writeFiles(folder, output())).toMatchObject({ removed: [] });
  expect(existsSync(join(outside, 'a.json'))).toBe(true);
});

test('a folder in place of a file is not replaced, and no half of a file stays', async () => {
  mkdirSync(join(folder, 'topics/a.json'), { recursive: true });
  await expect(writeFiles(folder, output('a'))).rejects.toThrow(/is not a regular file/);
  expect(all()).toEqual(['topics', 'topics/a.json']);
});

test.each(['../x', '/etc/x', 'a//b', '', 'a/../b', '.hidden', 'a\\b', 'a/.'])(
  'the path %j is refused before anything is written',
  async (path) => {
    const files = new Map([...output('a'), [path, '']]);
    await expect(writeFiles(folder, files)).rejects.toThrow('not a path below a folder');
    expect(existsSync(folder)).toBe(false);
  },
);

// There are no such permissions on Windows
test.skipIf(process.platform === 'win32')(
  'files with secrets are for their owner alone, even when they were not before',
  async () => {
    const mode = () => statSync(join(folder, 'topics/a.json')).mode & 0o777;
    await writeFiles(folder, output('a'));
    expect(mode() & 0o600).toBe(0o600);
    await writeFiles(folder, output('a'), { secretFiles: new Set(['topics/a.json']) });
    expect(mode()).toBe(0o600);
  },
);
