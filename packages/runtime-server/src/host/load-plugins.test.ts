import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { loadPlugins } from './load-plugins.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-plugins-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const manifest = (path: unknown): string =>
  JSON.stringify({ name: 'x', type: 'module', levada: { connectors: path } });
const module = (className: string): string =>
  `export const connector = {
     className: '${className}', version: '1', config: { keys: [] }, metrics: {}, events: {},
     objectName: () => ({}), taskConfigs: () => [], createTask: () => ({}),
   };
   export const other = 1;`;

describe('loadPlugins', () => {
  it('finds packages in every layout that npm makes', async () => {
    const folder = await folderWith({
      'a/package.json': manifest('./index.js'),
      'a/index.js': module('A'),
      '@scope/b/package.json': manifest('lib/b.js'),
      '@scope/b/lib/b.js': module('B'),
      'node_modules/@scope/c/package.json': manifest('./c.js'),
      'node_modules/@scope/c/c.js': module('C'),
      'plain/package.json': '{"name":"plain"}',
      'README.md': 'nothing',
    });
    const { connectors, broken } = await loadPlugins([folder, join(folder, 'a')], { clock: systemClock });
    expect(connectors.map(({ className }) => className)).toEqual(['B', 'A', 'C']);
    expect(broken).toEqual([{ place: join(folder, 'a'), reason: 'A was already loaded from elsewhere' }]);
  });

  it('reports what is broken, and loads the rest', async () => {
    const folder = await folderWith({
      'a-json/package.json': '{',
      'b-path/package.json': manifest(1),
      'c-outside/package.json': manifest('../a/index.js'),
      'd-missing/package.json': manifest('./gone.js'),
      'e-throws/package.json': manifest('./index.js'),
      'e-throws/index.js': 'throw new Error("broken on purpose")',
      'f-empty/package.json': manifest('./index.js'),
      'f-empty/index.js': 'export const x = { className: "X" };',
      'g-good/package.json': manifest('./index.js'),
      'g-good/index.js': module('Good'),
      'h-half/package.json': manifest('./index.js'),
      'h-half/index.js': module('Half').replace('metrics: {}', 'metrics: null'),
    });
    const { connectors, broken } = await loadPlugins([folder, join(folder, 'nowhere')], {
      clock: systemClock,
    });
    expect(connectors.map(({ className }) => className)).toEqual(['Good']);
    expect(broken.map(({ place, reason }) => [place.slice(folder.length + 1), reason])).toEqual([
      ['a-json', expect.stringContaining('package.json: ')],
      ['b-path', '"levada.connectors" in package.json must be a path'],
      ['c-outside', '"levada.connectors" in package.json must stay inside the package'],
      ['d-missing', expect.stringMatching(/gone\.js/)],
      ['e-throws', 'broken on purpose'],
      ['f-empty', 'exports no connector'],
      ['h-half', 'connector Half has no metrics'],
      ['nowhere', expect.stringContaining('cannot be read: ENOENT')],
    ]);
  });
});
