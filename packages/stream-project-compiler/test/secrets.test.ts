// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts speak of variables
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
  ])('does not print a secret %s', async (_, line, name) => {
    const { names, text, diagnostics } = await validateFiles({ 'stream_project.yml': platform(line) });
    expect(names).toContain(name);
    expect(text + JSON.stringify(diagnostics)).not.toContain(secret);
  });

  test('within an address that is not valid', async () => {
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
    expect.arrayContaining(['unknown anchor "one"', 'unknown tag "!two"']),
  );
});

/** A sink with one line of configuration. */
function sinkWith(config: string): Readonly<Record<string, string>> {
  return {
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
}

const inClear = [
  `connection.password: ${secret}`,
  'connection.password: 123456',
  `connection.url: "jdbc:database://user:${secret}@warehouse/orders"`,
  `connection.url: "jdbc:database://warehouse/orders?password=${secret}"`,
  `connection.password: "\${DB_PASSWORD:-${secret}}"`,
  `headers.Authorization: Bearer ${secret}`,
  `sasl.jaas.config: 'Login required username="\${USER}" password="${secret}";'`,
  `nested: {inner: [{password: ${secret}}]}`,
];

describe('a secret in clear text', () => {
  test.each(inClear)('reports a secret in the configuration %s, and does not print it', async (config) => {
    const environment = { DB_PASSWORD: 'x', USER: 'x' };
    const found = await validateFiles(sinkWith(config), { environment });
    expect(found.names).toEqual(['secret-in-clear']);
    expect(found.valid).toBe(false);
    expect(found.text + JSON.stringify(found.diagnostics)).not.toMatch(/hunter2|123456/);
  });

  test.each([
    'connection.password: ${DB_PASSWORD}',
    'connection.password: "${DB_PASSWORD:-}"',
    'connection.password: "${file:/run/secrets/db:password}"',
    'connection.password: "${env:DB_PASSWORD}"',
    'headers.Authorization: "Bearer ${DB_PASSWORD}"',
    `sasl.jaas.config: 'Login required username="me" password="\${DB_PASSWORD}";'`,
    'connection.url: "jdbc:database://me:${DB_PASSWORD}@warehouse/orders"',
    'connection.password:',
    'password.validation: strict',
    'ssl.keystore.password.file: /run/secrets/keystore',
    'http.authorization.type: static',
    'gcs.credentials.default: true',
    'mail.from: "mailto:shop@example.com"',
  ])('sees no secret in the configuration %s', async (config) => {
    const found = await validateFiles(sinkWith(config), { environment: { DB_PASSWORD: secret } });
    expect(found.names).toEqual([]);
  });

  test('reports a secret in "runtime" too, for keys and for addresses', async () => {
    const project = projectWith(
      '  schema_registry:',
      `    url: "http://user:${secret}@localhost:8081"`,
      `    password: ${secret}`,
      '    username: user',
    );
    const { names, text } = await validateFiles({ 'stream_project.yml': project });
    expect(names).toEqual(['secret-in-clear', 'secret-in-clear']);
    expect(text).toContain('"runtime.schema_registry.password" contains a secret in clear text');
    expect(text).toContain('write "${PASSWORD}" where the secret is');
  });
});

test('a secret whose variable is not set is not given a default to write', async () => {
  const { text } = await validateFiles(sinkWith('connection.password: ${DB_PASSWORD}'));
  expect(text).toContain('the variable "DB_PASSWORD" is not set in the environment — set it\n');
});

test.each(inClear)(
  'a secret that the caller allows in %s is in the file of its connector alone, which is for its owner',
  async (config) => {
    const environment = { DB_PASSWORD: 'x', USER: 'x' };
    const fileSystem = memoryFileSystem(sinkWith(config));
    const loaded = await loadProject({ fileSystem, environment });
    const { manifest, files, secretFiles } = compile(loaded, { policy: { 'secret-in-clear': 'warning' } });
    expect(JSON.stringify(manifest)).toContain('***');
    expect(JSON.stringify(manifest)).not.toMatch(/hunter2|123456/);
    expect(files.get('connectors/out.json')).toMatch(/hunter2|123456/);
    expect([...secretFiles]).toEqual(['connectors/out.json']);
  },
);
