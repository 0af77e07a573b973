import { describe, expect, it } from 'vitest';
import { configProviderWarnings, createConfigProviders } from './create-config-providers.ts';
import { builtInConfigProviders } from './providers/built-in-config-providers.ts';

const plugins = builtInConfigProviders({ CONNECT_TOKEN: 'abc', HOME: '/root', EMPTY: '' });

describe('createConfigProviders', () => {
  it('makes the providers that are named, by class name or alias', () => {
    const providers = createConfigProviders(
      {
        'config.providers': 'file, vars',
        'config.providers.file.class': 'org.apache.kafka.common.config.provider.FileConfigProvider',
        'config.providers.vars.class': 'env',
        'config.providers.vars.param.allowlist.pattern': 'CONNECT_.*',
      },
      plugins,
    );
    expect([...providers.keys()]).toEqual(['file', 'vars']);
  });

  it('makes none when none is named', () => {
    expect(createConfigProviders({}, plugins).size).toBe(0);
    expect(createConfigProviders({ 'config.providers': '' }, plugins).size).toBe(0);
  });

  it('reports everything that is wrong at once, by key', () => {
    const raw = {
      'config.providers': 'a,b,c,d',
      'config.providers.b.class': 'com.example.Vault',
      'config.providers.c.class': 'env',
      'config.providers.c.param.allowlist.pattern': '(?=x)',
      'config.providers.d.class': 'file',
      'config.providers.d.param.allowed.paths': 'x',
    };
    expect(() => createConfigProviders(raw, plugins)).toThrowError(
      expect.objectContaining({
        code: 'config_invalid',
        issues: [
          {
            key: 'config.providers.a.class',
            message: 'Missing required configuration "config.providers.a.class" which has no default value.',
          },
          {
            key: 'config.providers.b.class',
            message: expect.stringContaining('Class com.example.Vault could not be found. Known: org.apache'),
          },
          {
            key: 'config.providers.c.param.allowlist.pattern',
            message: expect.stringContaining('only (...), (?:...) and (?<name>...) are groups'),
          },
          {
            key: 'config.providers.d.param.allowed.paths',
            message: expect.stringContaining('Path x is not absolute'),
          },
        ],
      }),
    );
  });
});

describe('envConfigProvider', () => {
  const create = (pattern: string) =>
    createConfigProviders(
      {
        'config.providers': 'env',
        'config.providers.env.class': 'env',
        'config.providers.env.param.allowlist.pattern': pattern,
      },
      plugins,
    ).get('env');

  it('has values only for variables that exist and whose whole name is allowed', async () => {
    const values = await create('CONNECT_.*|EMPTY')?.get('', [
      'CONNECT_TOKEN',
      'HOME',
      'EMPTY',
      'CONNECT_NO',
      '__proto__',
    ]);
    expect([...(values ?? [])]).toEqual([
      ['CONNECT_TOKEN', 'abc'],
      ['EMPTY', ''],
    ]);
  });

  it('has every variable without a pattern, as in Kafka, of which there is a warning', async () => {
    const raw = { 'config.providers': 'env', 'config.providers.env.class': 'env' };
    const values = await createConfigProviders(raw, plugins).get('env')?.get('', ['HOME', 'NO_SUCH']);
    expect([...(values ?? [])]).toEqual([['HOME', '/root']]);
    expect(configProviderWarnings(raw, plugins)).toEqual([
      {
        key: 'config.providers.env.class',
        message: "without allowlist.pattern connectors can read every variable of the worker's environment",
      },
    ]);
    const pattern = { 'config.providers.env.param.allowlist.pattern': 'HOME' };
    expect(configProviderWarnings({ ...raw, ...pattern }, plugins)).toEqual([]);
  });

  it('refuses a path', async () => {
    await expect(create('.*')?.get('x', ['HOME'])).rejects.toThrow('environment variables have no path');
  });

  it('refuses a pattern that it does not understand', () => {
    expect(() => create('(?=x)')).toThrow(
      'allowlist.pattern: pattern (?=x): only (...), (?:...) and (?<name>...) are groups',
    );
  });
});
