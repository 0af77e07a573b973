import { describe, expect, test } from 'vitest';
import { compile, loadProject } from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { lines, projectWith, validateFiles } from './validate-support/validate-files.ts';

const secret = 'hunter2hunter2';

describe('a secret is not printed', () => {
  const platform = (...keys: readonly string[]) =>
    projectWith().replace('localhost:9092', ['localhost:9092', ...keys].join('\n    '));

  test.each([
    ['under a misspelt key', `sasl_pasword: ${secret}`, 'unknown-key'],
    ['that begins as an alias does', `sasl_password: *${secret}`, 'yaml-alias'],
    ['that begins as a tag does', `sasl_password: !${secret} x`, 'yaml-tag'],
  ])('%s', async (_, line, name) => {
    const { names, text, diagnostics } = await validateFiles({ 'stream_project.yml': platform(line) });
    expect(names).toContain(name);
    expect(text + JSON.stringify(diagnostics)).not.toContain(secret);
  });

  test('within an address that does not fit', async () => {
    const registry = `sasl_username: x\n  schema_registry: {url: "user:${secret}@registry:8081"}`;
    const { names, text } = await validateFiles({ 'stream_project.yml': platform(registry) });
    expect(names).toContain('invalid-value');
    expect(text).not.toContain(secret);
  });
});

test('aliases and tags elsewhere are named', async () => {
  const text = lines('models:', '  - name: *one', '    description: !two x', '    sql: SELECT 1');
  const { diagnostics } = await validateFiles({ 'models/m.yml': text });
  expect(diagnostics.map(({ message }) => message)).toEqual(
    expect.arrayContaining(['no anchor "one" stands before this alias', 'the tag "!two" is not known']),
  );
});

test.each([
  `connection.url: "jdbc:database://user:${secret}@warehouse/orders"`,
  `connection.url: "jdbc:database://warehouse/orders?password=${secret}"`,
  `headers.Authorization: Bearer ${secret}`,
  `nested: {inner: [{password: ${secret}}]}`,
])('the configuration %s is in the file of its connector alone, which is for its owner', async (config) => {
  const files = {
    'stream_project.yml': projectWith(),
    'models/m.yml': lines(
      'sources: [{name: orders, topic: orders.v1}]',
      'models:',
      '  - name: out',
      '    from: [{source: orders}]',
      '    sink:',
      '      connector: jdbc-sink',
      '      config:',
      `        ${config}`,
    ),
  };
  const loaded = await loadProject({ fileSystem: memoryFileSystem(files), environment: {} });
  const { manifest, files: made, secretFiles } = compile(loaded);
  expect(JSON.stringify(manifest)).toContain('***');
  expect(JSON.stringify(manifest)).not.toContain(secret);
  expect(made.get('connectors/out.json')).toContain(secret);
  expect([...secretFiles]).toEqual(['connectors/out.json']);
});
