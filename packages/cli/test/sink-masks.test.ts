import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { runCommand } from './run-command.ts';
import { startTestWorker } from './running-worker.ts';

const connectorClass = 'io.vendor.connect.websocket.WebSocketSourceConnector';

interface Validated {
  readonly configs: readonly {
    readonly value: { readonly name: string; readonly errors: readonly string[] };
  }[];
}

it('compiles masks of a sink to transformations that the runtime knows and finds right', async () => {
  const worker = await startTestWorker();
  onTestFinished(() => worker.close());
  const folder = await projectFolder({
    'stream_project.yml': `project: { name: masked }
runtime:
  platform: { bootstrap_servers: localhost:9092 }
  connect: { clusters: { local: { rest_url: http://localhost:8083 } } }
models:
  - name: masked
    from: people.v1
    security: { policies: [{ mask: { column: email, method: redact } }, { mask: { column: card, method: "null" } }] }
    sink: { connector: ${connectorClass}, config: {} }
`,
  });
  expect(await runCommand(['project', 'compile', '--out', 'out'], { cwd: folder })).toMatchObject({
    code: 0,
  });
  const { config } = JSON.parse(await readFile(join(folder, 'out/connectors/masked.json'), 'utf8'));
  const response = await fetch(`${worker.url}/connector-plugins/${connectorClass}/config/validate`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(config),
  });
  const { configs } = (await response.json()) as Validated;
  const ofMasks = configs.flatMap(({ value }) =>
    /^(?:transforms|predicates)/.test(value.name) ? [value] : [],
  );
  const names = ofMasks.map(({ name }) => name);
  expect(names).toContain('transforms.mask_redact.replacement');
  expect(names).toContain('transforms.mask_null.exclude');
  expect(ofMasks.filter(({ errors }) => errors.length > 0)).toEqual([]);
});
