// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a project
import { expect, test } from 'vitest';
import { compile, entryOf, loadProject } from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

async function compiled(mask: string, more = '') {
  const files = {
    'stream_project.yml': `project: {name: shop}
runtime:
  platform: {bootstrap_servers: "b:9092"}
  engine: {clusters: {main: {type: rest}}}
  vendor: {gateway: {admin_url: "http://g:8888", proxy_bootstrap: "g:6969"}}
sources:
  - {name: people, topic: people.v1, columns: [{name: id, type: BIGINT}, {name: email, type: STRING}]}
models:
  - name: made
    sql: 'SELECT id, email FROM {{ source("people") }}'
    security: {policies: [{mask: {${mask}}}]}
${more}`,
  };
  const environment = { MASK_SECRET: 'canary-secret', EMPTY: '' };
  return compile(await loadProject({ fileSystem: memoryFileSystem(files), environment }), {
    today: '2025-01-01',
  });
}

test.each([
  ['email', '`email`'],
  ['id', 'CAST(`id` AS STRING)'],
])('the secret of column %s is in the job as a variable, and its value nowhere', async (column, value) => {
  const { files } = await compiled(`column: ${column}, method: hash, secret: "\${MASK_SECRET}"`);
  expect(files.get('jobs/made.sql')).toContain(
    `SHA256(SHA256('levada.mask.outer:\${MASK_SECRET}') || SHA256(SHA256('levada.mask.inner:\${MASK_SECRET}') || ${value}))`,
  );
  expect([...files.values()].join('')).not.toContain('canary');
});

test.each([
  ['column: email, method: hash, secret: plain', 'secret-in-clear'],
  ['column: email, method: hash, secret: "${EMPTY}"', 'mask-secret'],
  ['column: email, method: hash, secret: "${MASK_SECRET:-}"', 'mask-secret'],
  ['column: email, method: hash, secret: "${MASK_SECRET}${MASK_SECRET}"', 'mask-secret'],
  ['column: email, method: "null", secret: "${MASK_SECRET}"', 'mask-secret-unused'],
  ['column: email, method: hash, secret: "${MASK_SECRET}", for_roles: [analyst]', 'mask-secret-unused'],
])('a secret that no job could use is an error: %s', async (mask, name) => {
  const { manifest, diagnostics } = await compiled(mask);
  expect(diagnostics.map((one) => entryOf(one.code).name)).toContain(name);
  expect(manifest).toBeUndefined();
});

test('a mask of a virtual topic takes no secret', async () => {
  const { diagnostics } = await compiled(
    'column: email, method: hash, secret: "${MASK_SECRET}"',
    '    advanced: {gateway: {virtual_topic: {name: made.v1}}}\n',
  );
  expect(diagnostics.map((one) => entryOf(one.code).name)).toContain('mask-secret-unused');
});
