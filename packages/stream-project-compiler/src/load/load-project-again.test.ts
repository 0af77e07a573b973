import { expect, test } from 'vitest';
import { memoryFileSystem } from '../../test/project-support/memory-file-system.ts';
import type { ProjectFileSystem } from './file-system.ts';
import { type LoadOptions, loadProject } from './load-project.ts';

const files = {
  'stream_project.yml': 'project: {name: shop}\n',
  'models/a.yml': 'models: []\n',
  'models/b.yml': 'sources: []\n',
};

/** Notes what is read and listed. */
function watched(entries: Readonly<Record<string, string>>) {
  const fileSystem = memoryFileSystem(entries);
  const seen: string[] = [];
  const watching: ProjectFileSystem = {
    ...fileSystem,
    list: (folder) => {
      seen.push(`list ${folder}`);
      return fileSystem.list(folder);
    },
    read: (path, limit) => {
      seen.push(`read ${path}`);
      return fileSystem.read(path, limit);
    },
  };
  return { fileSystem: watching, seen };
}

async function reload(
  entries: Readonly<Record<string, string>>,
  options: Omit<LoadOptions, 'fileSystem'>,
  before: Readonly<Record<string, string>> = files,
) {
  const previous = await loadProject({ fileSystem: memoryFileSystem(before), environment: { A: '1' } });
  const { fileSystem, seen } = watched(entries);
  const { value, diagnostics } = await loadProject({ fileSystem, previous, ...options });
  return { value, diagnostics, seen, previous };
}

test('reads only the file that changed', async () => {
  const after = { ...files, 'models/a.yml': 'models: [] # changed\n' };
  const { value, seen, previous } = await reload(after, { changed: ['models/a.yml', 'models/a.yml'] });
  expect(seen).toEqual(['read models/a.yml']);
  expect(value.files.map(({ text }) => text)).toEqual(Object.values(after));
  expect(value.files[2]).toBe(previous.value.files[2]);
});

test('variables are those of this call', async () => {
  const { value } = await reload(files, { changed: [], environment: { B: '2' } });
  expect([...value.variables]).toEqual([['B', '2']]);
});

test('variables of .env stay, and what was said of it', async () => {
  const before = { ...files, '.env': 'A=1\nnothing\nA=1\n' };
  const { value, seen, diagnostics, previous } = await reload(before, { changed: ['models/a.yml'] }, before);
  expect(seen).toEqual(['read models/a.yml']);
  expect([[...value.variables], [...value.fileVariables]]).toEqual([[['A', '1']], ['A']]);
  expect(diagnostics).toEqual(previous.diagnostics);
});

test.each([
  ['a file is new', { ...files, 'models/c.yml': '' }, ['models/c.yml']],
  ['a file is gone', { 'stream_project.yml': files['stream_project.yml'] }, ['models/a.yml', 'models/b.yml']],
  ['.env changed', { ...files, '.env': 'A=2' }, ['.env']],
  ['a folder is new', { ...files, 'tests/t.yml': 'tests: []' }, ['tests']],
])('everything is read when %s', async (_, entries, changed) => {
  const { value, seen } = await reload(entries, { changed });
  expect(seen).toContain('list ');
  const whole = await loadProject({ fileSystem: memoryFileSystem(entries) });
  expect(value.files.map(({ path, text }) => [path, text])).toEqual(
    whole.value.files.map(({ path, text }) => [path, text]),
  );
  expect(value.variables).toEqual(whole.value.variables);
});

test('everything is read when a file can no longer be read, or there were findings', async () => {
  const bytes = { ...files, 'models/a.yml': '\0'.repeat(9 * 1024 * 1024) };
  const large = await reload(bytes, { changed: ['models/a.yml'] });
  expect(large.diagnostics).toHaveLength(1);
  expect(large.value.complete).toBe(false);
  const mended = await reload(files, { changed: ['models/a.yml'] }, bytes);
  expect([mended.diagnostics, mended.value.complete, mended.value.files.length]).toEqual([[], true, 3]);
});

test('everything is read when nothing says what changed', async () => {
  expect((await reload(files, {})).seen).toContain('list ');
});
