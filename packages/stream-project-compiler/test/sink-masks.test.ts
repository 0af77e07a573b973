import { expect, test } from 'vitest';
import { type Compilation, compile, loadProject } from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

/** A sink with these masks, as lists of YAML: `[email, redact]`. */
async function sinkWith(...masks: readonly string[]): Promise<Compilation> {
  const policies = masks.map((mask) => {
    const [column = '', method = ''] = mask.split(' ');
    return `        - mask: { column: "${column}", method: "${method}" }\n`;
  });
  const files = {
    'stream_project.yml': `project: { name: shop }
runtime:
  platform: { bootstrap_servers: "localhost:9092" }
  connect: { clusters: { main: { rest_url: "http://localhost:8083" } } }
sources:
  - name: people
    topic: people.v1
    columns:
      - { name: id, type: BIGINT }
      - { name: email, type: STRING }
      - { name: "a,b", type: STRING }
models:
  - name: store
    from: [{ source: people }]
    security:
      policies:
${policies.join('')}    sink:
      connector: jdbc-sink
      config: { transforms: [mask_null, route], predicates: mine }
`,
  };
  return compile(await loadProject({ fileSystem: memoryFileSystem(files) }), { today: '2025-01-01' });
}

test('masks of a sink are transformations before those that the project names', async () => {
  const { files } = await sinkWith('email redact', 'id null', 'email null');
  expect(JSON.parse(files.get('connectors/store.json') ?? '')).toMatchObject({
    config: {
      transforms: 'mask_redact,mask_null_,mask_null,route',
      'transforms.mask_redact.type': 'org.apache.kafka.connect.transforms.MaskField$Value',
      'transforms.mask_redact.fields': 'email',
      'transforms.mask_redact.replacement': '***',
      'transforms.mask_redact.predicate': 'mask_tombstone',
      'transforms.mask_redact.negate': 'true',
      'transforms.mask_null_.type': 'org.apache.kafka.connect.transforms.ReplaceField$Value',
      'transforms.mask_null_.exclude': 'id,email',
      predicates: 'mask_tombstone,mine',
      'predicates.mask_tombstone.type': 'org.apache.kafka.connect.transforms.predicates.RecordIsTombstone',
    },
  });
});

test.each([
  ['email hash', 'transformations of connectors can only replace text with a fixed text or take a field out'],
  ['email partial', 'transformations of connectors can only'],
  ['email tokenize', 'transformations of connectors can only'],
  ['id redact', 'its values are BIGINT, and the transformation puts "***" in place of text only'],
  ['a,b null', 'transformations take a list of fields with commas between'],
])('the mask %s of a sink is an error, because no transformation does it', async (mask, why) => {
  const { files, diagnostics } = await sinkWith(mask);
  expect(files.size).toBe(0);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ code }) => code)).toEqual(['LV3315']);
  expect(errors[0]?.message).toContain(why);
});
