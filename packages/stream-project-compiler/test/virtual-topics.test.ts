import { describe, expect, test } from 'vitest';
import { strictCheck } from '../../stream-project-schema/test/strict-check.ts';
import {
  type Compilation,
  compile,
  loadProject,
  type VirtualTopicFile,
  virtualTopicFileJsonSchema,
} from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { lines } from './validate-support/validate-files.ts';

const project = `project: { name: shop }
runtime:
  platform: { bootstrap_servers: "localhost:9092" }
  engine: { clusters: { main: { type: rest } } }
  vendor:
    gateway:
      { admin_url: "http://gw:8888", proxy_bootstrap: "gw:6969", password: "\${P}", virtual_cluster: retail }
`;

const sources = lines(
  'sources:',
  '  - name: orders',
  '    topic: orders.v1',
  '    columns:',
  '      - { name: id, type: BIGINT }',
  '      - { name: email, type: STRING }',
  '      - { name: total, type: "DECIMAL(10, 2)" }',
  '      - { name: paid, type: BOOLEAN }',
  '      - { name: address, type: "ROW<city STRING, zip STRING>" }',
);

/** A model with a gateway block, as lines of YAML. */
function view(name: string, sql: string, ...more: readonly string[]): string {
  return [
    `  - name: ${name}`,
    `    sql: ${JSON.stringify(sql)}`,
    `    advanced: { gateway: { virtual_topic: { name: ${name}.view, compression: lz4 } } }`,
    ...more.map((line) => `    ${line}`),
  ].join('\n');
}

async function compiled(...models: readonly string[]): Promise<Compilation> {
  const files = {
    'stream_project.yml': project,
    'sources/s.yml': sources,
    'models/m.yml': lines('models:', ...models),
  };
  return compile(await loadProject({ fileSystem: memoryFileSystem(files), environment: { P: 'x' } }), {
    today: '2025-01-01',
  });
}

async function fileOf(name: string, ...models: readonly string[]): Promise<VirtualTopicFile> {
  const { files, diagnostics } = await compiled(...models);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return JSON.parse(files.get(`virtual_topics/${name}.json`) ?? '{}');
}

const check = strictCheck(virtualTopicFileJsonSchema);

describe('the file of a virtual topic', () => {
  test('has its columns, condition, masks, physical topic and virtual cluster', async () => {
    const file = await fileOf(
      'paid',
      view(
        'paid',
        "SELECT o.id, o.email, address.city AS town FROM {{ source('orders') }} o WHERE paid AND total > -1.50 AND o.address.zip LIKE '1!_%' ESCAPE '!'",
        'security: { policies: [{ mask: { column: email, method: tokenize, for_roles: [support] } }] }',
      ),
    );
    expect(check(file)).toEqual([]);
    expect(file).toEqual({
      schema: 'levada.virtual-topic/1',
      model: 'paid',
      name: 'paid.view',
      physical_topic: 'orders.v1',
      virtual_cluster: 'retail',
      compression: 'lz4',
      filter: {
        op: 'and',
        conditions: [
          { op: '=', left: { column: ['paid'] }, right: { value: 'TRUE', type: 'boolean' } },
          { op: '>', left: { column: ['total'] }, right: { value: '-1.50', type: 'decimal' } },
          { op: 'like', operand: { column: ['address', 'zip'] }, pattern: '1!_%', escape: '!' },
        ],
      },
      columns: [
        { name: 'id', from: ['id'] },
        { name: 'email', from: ['email'] },
        { name: 'town', from: ['address', 'city'] },
      ],
      masks: [{ column: 'email', method: 'tokenize', for_roles: ['support'] }],
    });
  });

  test('has every kind of condition', async () => {
    const condition =
      "id IN (1, 2) OR NOT (email IS NULL) OR total BETWEEN 1 AND 2.5 OR paid IS NOT TRUE OR email NOT LIKE 'a%' OR id <> total";
    const file = await fileOf('v', view('v', `SELECT * FROM {{ source('orders') }} WHERE ${condition}`));
    expect(check(file)).toEqual([]);
    const conditions = file.filter !== undefined && 'conditions' in file.filter ? file.filter.conditions : [];
    expect(conditions.map(({ op }) => op)).toEqual(['in', 'not', 'and', 'not', 'not', '<>']);
    expect(file.columns).toBeUndefined();
  });

  test('has what the virtual topics below it filter, pick and mask, in names of the physical topic', async () => {
    const below = view(
      'below',
      "SELECT id AS number, email AS contact, total FROM {{ source('orders') }} WHERE paid",
      'security: { policies: [{ mask: { column: contact, method: redact } }, { mask: { column: total, method: "null" } }] }',
    );
    const above = view(
      'above',
      "SELECT contact AS who, contact AS whom, number FROM {{ ref('below') }} WHERE number > 5",
      'security: { policies: [{ mask: { column: number, method: hash } }] }',
    );
    const file = await fileOf('above', below, above);
    expect(check(file)).toEqual([]);
    expect(file).toMatchObject({
      physical_topic: 'orders.v1',
      filter: {
        op: 'and',
        conditions: [
          { op: '=', left: { column: ['paid'] } },
          { op: '>', left: { column: ['id'] } },
        ],
      },
      columns: [
        { name: 'who', from: ['email'] },
        { name: 'whom', from: ['email'] },
        { name: 'number', from: ['id'] },
      ],
      masks: [
        { column: 'who', method: 'redact' },
        { column: 'whom', method: 'redact' },
        { column: 'number', method: 'hash' },
      ],
    });
  });

  test('does not exist where a condition would see what a virtual topic below it masks', async () => {
    const below = view(
      'below',
      "SELECT * FROM {{ source('orders') }}",
      'security: { policies: [{ mask: { column: email, method: redact } }] }',
    );
    const above = view('above', "SELECT id FROM {{ ref('below') }} WHERE email = 'a@b.c'");
    const { diagnostics, files } = await compiled(below, above);
    expect(files.size).toBe(0);
    expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([
      'model "above" is a virtual topic with a condition on column "email", which a virtual topic below it masks: the condition would see the value',
    ]);
  });
});
