import { describe, expect, it } from 'vitest';
import { loadProject } from './load-project.ts';
import { memoryFileSystem } from './memory-file-system.ts';

const paths = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<readonly string[]> => {
  const { value, diagnostics } = await loadProject({ fileSystem: memoryFileSystem(files) });
  expect(diagnostics).toEqual([]);
  return value.files.map(({ path }) => path);
};

describe('memoryFileSystem', () => {
  it('has the files of a project and of its folders, as text or bytes', async () => {
    const files = {
      'models/deep/b.yml': 'models: []',
      'models/a.yml': new TextEncoder().encode('models: []'),
      'stream_project.yml': 'project: {}',
      'README.md': '',
    };
    expect(await paths(files)).toEqual(['stream_project.yml', 'models/a.yml', 'models/deep/b.yml']);
  });

  it('reads what the object has when it is asked', async () => {
    const files: Record<string, string> = { 'stream_project.yml': 'project: {}' };
    const fileSystem = memoryFileSystem(files);
    const first = await loadProject({ fileSystem });
    files['stream_project.yml'] = 'project: { name: shop }';
    const again = await loadProject({ fileSystem, previous: first, changed: ['stream_project.yml'] });
    expect(again.value.files[0]?.text).toBe('project: { name: shop }');
  });

  it('has no file of the name of a member that every object has', async () => {
    expect(await memoryFileSystem({}).read('constructor', 1)).toEqual({
      kind: 'unreadable',
      reason: 'it does not exist',
    });
  });

  it('says of a file that is too large that it is', async () => {
    expect(await memoryFileSystem({ 'a.yml': 'ab' }).read('a.yml', 1)).toEqual({ kind: 'too-large' });
  });
});
