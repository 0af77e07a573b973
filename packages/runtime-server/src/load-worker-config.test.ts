import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '@levada/test-peers/new-folder';
import { describe, expect, it } from 'vitest';
import { devConfig } from './config/dev-config.ts';
import { parseConfigFile } from './config/parse-config-file.ts';
import { checkWorkerConfig, environmentConfig, loadWorkerConfig } from './load-worker-config.ts';

async function fileWith(name: string, text: string): Promise<string> {
  const path = join(await newFolder(), name);
  await writeFile(path, text);
  return path;
}

describe('environmentConfig', () => {
  it('maps names as container images of Kafka Connect do', () => {
    expect(
      environmentConfig({
        CONNECT_BOOTSTRAP_SERVERS: 'b:9092',
        CONNECT_PLUGIN_PATH: '/p',
        CONNECT_A__B___C_D: 'x',
        PATH: '/bin',
        CONNECT_: 'nothing',
      }),
    ).toEqual([
      { key: 'bootstrap.servers', value: 'b:9092', variable: 'CONNECT_BOOTSTRAP_SERVERS' },
      { key: 'plugin.path', value: '/p', variable: 'CONNECT_PLUGIN_PATH' },
      { key: 'a-b_c.d', value: 'x', variable: 'CONNECT_A__B___C_D' },
    ]);
  });
});

async function keysOf(name: string, text: string): Promise<Readonly<Record<string, string>>> {
  const entries = await parseConfigFile(name, text);
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}

describe('parseConfigFile', () => {
  it('reads properties, YAML and JSON to the same keys', async () => {
    const keys = { 'group.id': 'g', listeners: 'http://a:1,http://b:2', 'offset.flush.interval.ms': '10' };
    expect(
      await keysOf(
        'w.properties',
        'group.id=g\nlisteners=http://a:1,http://b:2\noffset.flush.interval.ms: 10\n',
      ),
    ).toEqual(keys);
    expect(
      await keysOf(
        'w.yaml',
        'group:\n  id: g\nlisteners: [http://a:1, http://b:2]\noffset.flush.interval.ms: 10\nplugin.path: ~\n',
      ),
    ).toEqual(keys);
    expect(
      await keysOf('w.json', JSON.stringify({ ...keys, listeners: ['http://a:1', 'http://b:2'] })),
    ).toEqual(keys);
  });

  it.each([
    ['a: 1\na: 2\n', 'Map keys must be unique'],
    ['- a\n', 'must hold a map of keys to values'],
    ['a: [[1]]\n', '"a" must be text, a number, a boolean or a list of these'],
    ['a: "\n', 'Missing closing'],
    ['a: &x [1]\nb: *x\n', 'Alias'],
  ])('refuses %j', async (text, message) => {
    await expect(parseConfigFile('w.yaml', text)).rejects.toThrow(message);
  });

  it('names the file and the line of each property', async () => {
    expect(await parseConfigFile('w.properties', '\na=1\\\n  2\nb=3\n')).toEqual([
      { key: 'a', value: '12', place: 'w.properties:2' },
      { key: 'b', value: '3', place: 'w.properties:4' },
    ]);
    await expect(parseConfigFile('w.properties', '\npassword=x\\u1')).rejects.toThrow(
      'w.properties: line 2: Malformed \\uxxxx encoding.',
    );
  });

  it('holds prototype names as plain keys', async () => {
    expect(Object.entries(await keysOf('w.yaml', '__proto__: a\n'))).toEqual([['__proto__', 'a']]);
  });
});

describe('loadWorkerConfig', () => {
  it('lets the environment win over the file, the command line over both', async () => {
    const file = await fileWith('w.properties', 'group.id=file\nrest.advertised.port=1\nlog.level=warn\n');
    const config = await loadWorkerConfig({
      file,
      defaults: { 'embedded.storage.folder': 'there' },
      environment: { CONNECT_GROUP_ID: 'environment', CONNECT_REST_ADVERTISED_PORT: '2' },
      overrides: { 'rest.advertised.port': '3' },
    });
    expect(config.groupId).toBe('environment');
    expect(config.values).toMatchObject({
      'rest.advertised.port': 3,
      'embedded.storage.folder': 'there',
      'log.level': 'warn',
    });
  });

  it("resolves references through the worker's own providers", async () => {
    const secrets = await fileWith('secrets.properties', 'group=from-file\n');
    const config = await loadWorkerConfig({
      overrides: {
        'config.providers': 'file',
        'config.providers.file.class': 'org.apache.kafka.common.config.provider.FileConfigProvider',
        'group.id': `\${file:${secrets}:group}`,
      },
    });
    expect(config.groupId).toBe('from-file');
  });

  it('names a provider class that is not there, without loading anything', async () => {
    const overrides = { 'config.providers': 'x,y', 'config.providers.x.class': 'file:///tmp/evil.js' };
    await expect(loadWorkerConfig({ overrides })).rejects.toMatchObject({
      code: 'config_invalid',
      issues: [{ key: 'config.providers.x.class' }, { key: 'config.providers.y.class' }],
    });
  });

  it('keeps a worker to try things out with to this machine, whatever the environment says', async () => {
    const environment = { CONNECT_BOOTSTRAP_SERVERS: 'kafka:9092', CONNECT_LISTENERS: 'http://:80' };
    const lines = [
      'admin.listeners=http://:81',
      'jolokia.listeners=http://:82',
      'exactly.once.source.support=enabled',
    ];
    const file = await fileWith('worker.properties', lines.join('\n'));
    const config = await loadWorkerConfig({ file, environment, overrides: devConfig({ port: 18083 }) });
    expect(config).toMatchObject({
      storage: 'embedded',
      listeners: [{ host: '127.0.0.1', port: 18083 }],
      adminListeners: 'same',
      jolokiaListeners: [],
    });
  });

  it('says which file cannot be read', async () => {
    await expect(loadWorkerConfig({ file: '/nowhere/w.properties' })).rejects.toMatchObject({
      code: 'file_unreadable',
      message: 'cannot read the worker configuration /nowhere/w.properties: ENOENT',
    });
  });
});

/** A folder of packages, each with a module `index.js` of plugins of one kind. */
async function pluginPath(
  packages: readonly { readonly name: string; readonly kind: string; readonly code: string }[],
): Promise<string> {
  const folder = await newFolder();
  for (const { name, kind, code } of packages) {
    await mkdir(join(folder, name));
    const manifest = { type: 'module', levada: { [kind]: './index.js' } };
    await writeFile(join(folder, name, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(folder, name, 'index.js'), code);
  }
  return folder;
}

describe('a worker configuration that names plugins', () => {
  const converter = {
    name: 'converter',
    kind: 'converters',
    code: "export const one = { className: 'com.example.HexConverter', create: () => ({ fromConnectData() {} }) };",
  };
  const provider = {
    name: 'provider',
    kind: 'configProviders',
    code: `export const one = { className: 'com.example.Upper', aliases: ['upper'], create: () => ({
      get: async (path, keys) => new Map(keys.map((key) => [key, key.toUpperCase()])) }) };`,
  };
  const named = {
    'config.providers': 'up',
    'config.providers.up.class': 'upper',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference
    'group.id': '${up:team}',
    'value.converter': 'com.example.HexConverter',
  };

  it('may use converters and config providers of plugin.path', async () => {
    const folder = await pluginPath([converter, provider]);
    const config = await loadWorkerConfig({ defaults: { ...named, 'plugin.path': folder } });
    expect(config.groupId).toBe('TEAM');
    expect(config.converters.value.className).toBe('com.example.HexConverter');
  });

  it('says what is broken in plugin.path beside a class that is missing', async () => {
    const folder = await pluginPath([
      { ...converter, code: 'throw new Error("out of order")' },
      { ...provider, code: 'export const nothing = 1;' },
    ]);
    const { config, problems } = await checkWorkerConfig({ defaults: { ...named, 'plugin.path': folder } });
    expect(config).toBeUndefined();
    expect(problems.map(({ key, message }) => [key, message])).toEqual([
      ['config.providers.up.class', expect.stringContaining('Class upper could not be found. Known: ')],
      ['value.converter', expect.stringContaining('com.example.HexConverter')],
      ['plugin.path', `${join(folder, 'converter')} cannot be loaded: out of order`],
      ['plugin.path', `${join(folder, 'provider')} cannot be loaded: exports no configuration provider`],
    ]);
  });

  it('loads no plugin when it names only what is built in', async () => {
    const key = 'levadaPluginWasLoaded';
    const code = `globalThis['${key}'] = true; ${converter.code}`;
    const folder = await pluginPath([{ ...converter, code }]);
    await loadWorkerConfig({ defaults: { 'plugin.path': folder } });
    expect(Object.hasOwn(globalThis, key)).toBe(false);
  });
});
