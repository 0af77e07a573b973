import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '@levada/connect-runtime-core';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { newFolder } from '@levada/test-peers/new-folder';
import { describe, expect, it } from 'vitest';
import { builtInPlugins } from '../compose.ts';
import { loadPlugins } from './load-plugins.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await newFolder();
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

  const rowless = (className: string, more = '') =>
    `export const it${className.replaceAll('.', '_')} = {
       className: '${className}', config: { keys: [], describe: () => [] }, create: () => ({}) ${more} };`;
  const parts = (levada: unknown): string => JSON.stringify({ name: 'x', type: 'module', levada });

  it('finds every kind of plugin in one package, and keeps those beside a broken part', async () => {
    const folder = await folderWith({
      'all/package.json': parts({
        connectors: './index.js',
        transformations: './index.js',
        predicates: './predicates.js',
        converters: './throws.js',
        configProviders: './providers.js',
        transforms: './index.js',
      }),
      'all/index.js': `${module('Both')}${rowless('Mask')}`,
      'all/predicates.js': `${rowless('Fits')}${rowless('Half').replace('keys: []', 'rows: []')}`,
      'all/throws.js': 'throw new Error("no converters today")',
      'all/providers.js': rowless('Vault', ", aliases: ['vault']"),
      'same/package.json': parts({ transformations: 'a.js', predicates: './a.js' }),
      'same/a.js': rowless('Same'),
      'none/package.json': parts({}),
    });
    const loaded = await loadPlugins([folder], { clock: systemClock });
    const names = Object.entries(loaded).flatMap(([kind, list]) =>
      kind === 'broken' ? [] : [[kind, (list as { className: string }[]).map((one) => one.className)]],
    );
    expect(Object.fromEntries(names)).toEqual({
      connectors: ['Both'],
      transformations: ['Mask', 'Same'],
      predicates: ['Fits'],
      converters: [],
      configProviders: ['Vault'],
    });
    const kinds = 'connectors, transformations, predicates, converters, configProviders';
    expect(loaded.broken.map(({ place, reason }) => [place.slice(folder.length + 1), reason])).toEqual([
      ['all', `"levada.transforms" in package.json is unknown, expected one of: ${kinds}`],
      ['none', `"levada" in package.json must have one of: ${kinds}`],
      ['same', '"levada.predicates" in package.json must be another module than "levada.transformations"'],
      ['all', 'predicate Half has a config without keys'],
      ['all', 'no converters today'],
    ]);
  });

  it('refuses class names and aliases of built-in plugins, of the same kind only', async () => {
    const folder = await folderWith({
      'package.json': parts({
        connectors: './c.js',
        transformations: './t.js',
        predicates: './p.js',
        converters: './v.js',
        configProviders: './f.js',
      }),
      'c.js': module('io.vendor.connect.websocket.WebSocketSourceConnector'),
      't.js': `${rowless('org.apache.kafka.connect.transforms.Filter')}${rowless('com.example.Own')}`,
      'p.js': rowless('org.apache.kafka.connect.transforms.Filter'),
      'v.js': rowless('org.apache.kafka.connect.json.JsonConverter'),
      'f.js': rowless('com.example.Files', ", aliases: ['file']"),
    });
    const loaded = await loadPlugins([folder], { clock: systemClock, builtIn: builtInPlugins({}) });
    expect(loaded.transformations.map(({ className }) => className)).toEqual(['com.example.Own']);
    expect(loaded.predicates).toHaveLength(1);
    const webSocket = 'io.vendor.connect.websocket.WebSocketSourceConnector';
    const json = 'org.apache.kafka.connect.json.JsonConverter';
    const filter = 'org.apache.kafka.connect.transforms.Filter';
    expect(loaded.broken.map(({ reason }) => reason)).toEqual([
      `connector ${webSocket} cannot be called ${webSocket}: that is a built-in connector`,
      `transformation ${filter} cannot be called ${filter}: that is a built-in transformation`,
      `converter ${json} cannot be called ${json}: that is a built-in converter`,
      'configuration provider com.example.Files cannot be called file: that is a built-in configuration provider',
    ]);
  });

  it('refuses what a plugin makes that cannot be used', async () => {
    const folder = await folderWith({
      'package.json': parts({ transformations: './t.js', converters: './v.js' }),
      't.js': rowless('com.example.Nothing'),
      'v.js': rowless('com.example.Nothing'),
    });
    const { transformations, converters } = await loadPlugins([folder], { clock: systemClock });
    expect(() => transformations[0]?.create({})).toThrow(
      'create of transformation com.example.Nothing returned no object with the function apply',
    );
    expect(() => converters[0]?.create({}, true)).toThrow(
      'create of converter com.example.Nothing returned no object with the function fromConnectData',
    );
  });

  it('waits 10 s for the values of a config provider, which must be texts', async () => {
    const folder = await folderWith({
      'package.json': parts({ configProviders: './f.js' }),
      'f.js': `export const slow = { className: 'Slow', create: () => ({ get: () => new Promise(() => {}) }) };
        export const map = { className: 'Map', create: () => ({ get: async () => ({ a: 'secret' }) }) };
        export const text = { className: 'Text', create: () => ({ get: async () => new Map([['a', 42]]) }) };`,
    });
    const clock = createManualClock();
    const { configProviders } = await loadPlugins([folder], { clock });
    const answers = configProviders.map((plugin) => {
      const answer = plugin.create({}).get('vault', ['a']);
      answer.catch(() => undefined);
      return [plugin.className, answer] as const;
    });
    await clock.advance(10_000);
    const messages = { Slow: 'within 10000 ms', Map: 'no map of values', Text: 'of "a" that is not text' };
    expect(answers.map(([name]) => name).toSorted()).toEqual(Object.keys(messages).toSorted());
    for (const [name, answer] of answers)
      await expect(answer).rejects.toThrow(messages[name as keyof typeof messages]);
    expect(clock.pending).toBe(0);
  });
});
