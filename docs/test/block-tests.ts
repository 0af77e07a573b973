import { type Block, isCommands } from './page-blocks.ts';

/** How many blocks of each language a test elsewhere runs, by text and test. */
export const testedElsewhere: Readonly<Record<string, Readonly<Record<string, Counts>>>> = {
  'docs/guides/bundling.md': { 'tools/packages/check-bundle.mjs': { sh: 2, js: 1 } },
  'docs/guides/move-from-kafka-connect.md': {
    'packages/cli/test/move-guide.faults.test.ts': { console: 9, ini: 1 },
  },
  'docs/guides/debezium.md': {
    'packages/stream-project-compiler/test/guide.test.ts': { console: 2, jsonl: 6, sql: 1, yaml: 4 },
  },
  'docs/guides/read-a-stream.md': { 'packages/runtime-server/test/read-a-stream.test.ts': { ts: 6 } },
  'docs/guides/stream-projects.md': {
    'packages/stream-project-compiler/test/guide.test.ts': {
      console: 16,
      diff: 10,
      json: 2,
      jsonl: 9,
      sql: 2,
      yaml: 7,
    },
  },
  'docs/guides/test-your-service.md': { 'packages/connect-runtime-core/test/readme.test.ts': { ts: 8 } },
  'docs/guides/websocket-feeds.md': {
    'packages/source-websocket/test/recipes.test.ts': { json: 5, ts: 5 },
  },
  'docs/guides/write-a-connector.md': {
    'packages/runtime-server/test/end-to-end/guide.test.ts': { js: 7, json: 3, properties: 1, sh: 2 },
  },
  'packages/cli/templates/plugin/README.md': { 'packages/cli/test/plugin-new.test.ts': { sh: 2 } },
  'packages/cli/README.md': { 'packages/cli/test/readme.test.ts': { sh: 2, yaml: 1 } },
  'packages/connect-runtime-core/README.md': {
    'packages/connect-runtime-core/test/readme.test.ts': { ts: 2 },
  },
  'packages/connect-transforms/README.md': { 'packages/connect-transforms/src/readme.test.ts': { ts: 1 } },
  'packages/connect-worker/README.md': { 'packages/connect-worker/test/readme.test.ts': { ts: 1 } },
  'packages/grpc-wire/README.md': { 'packages/grpc-wire/src/readme.test.ts': { ts: 1 } },
  'packages/platform-embedded/README.md': { 'packages/platform-embedded/src/readme.test.ts': { ts: 2 } },
  'packages/platform-kafka/README.md': { 'packages/platform-kafka/src/readme.test.ts': { ts: 2 } },
  'packages/protobuf-tables/README.md': { 'packages/protobuf-tables/src/readme.test.ts': { ts: 1 } },
  'packages/source-grpc/README.md': {
    'packages/source-grpc/test/editor.test.ts': { ts: 4 },
    'packages/source-grpc/test/statements.test.ts': { sh: 1 },
  },
  'packages/source-otlp/README.md': {
    'packages/source-otlp/test/editor.test.ts': { ts: 2 },
    'packages/source-otlp/test/statements.test.ts': { sh: 1 },
  },
  'packages/source-websocket/README.md': { 'packages/source-websocket/test/editor.test.ts': { ts: 2 } },
  'packages/stream-project-compiler/README.md': {
    'packages/stream-project-compiler/test/readme.test.ts': { ts: 2 },
  },
  'packages/stream-project-schema/README.md': {
    'packages/stream-project-schema/src/readme.test.ts': { ts: 1 },
  },
  'packages/stream-sql/README.md': { 'packages/stream-sql/test/readme.test.ts': { ts: 1 } },
};

/** Number of blocks, by language. */
type Counts = Readonly<Record<string, number>>;

/** Texts of which TypeScript checks examples here: a package that has what they import, the same for many since each takes seconds to open, and what they take as given. */
export const typeChecked: Readonly<Record<string, { readonly folder: string; readonly given?: string }>> = {
  'docs/guides/bundling.md': {
    folder: 'packages/cli/',
    given: 'declare global { const text: string; }',
  },
  'packages/connect-runtime-core/README.md': {
    folder: 'packages/cli/',
    given: `import type { FakeSource, SourceTaskHarness } from '@levada/connect-runtime-core/testing';
import type { SourceRecord } from '@levada/connect-runtime-core';
declare global {
  const harness: SourceTaskHarness;
  const source: AsyncIterable<SourceRecord>;
  function startService(source: FakeSource): unknown;
  function store(record: SourceRecord): Promise<void>;
}`,
  },
  'packages/kafka-testkit/README.md': {
    folder: 'packages/cli/',
    given: "import { expect, it } from 'vitest';",
  },
  'packages/runtime-server/README.md': { folder: 'packages/cli/' },
};

/** Texts beside the pages whose commands run here, in this order. The first starts a worker; the configurations in them are checked. */
export const runBeside: readonly string[] = [
  'packages/runtime-server/README.md',
  'packages/connect-transforms/README.md',
  'packages/registry-converters/README.md',
  'packages/source-websocket/README.md',
  'examples/shop-project/README.md',
  'examples/debezium-project/README.md',
  'examples/write-a-connector/README.md',
];

/** Whether the tests of this folder do what a block says. */
export function runHere(file: string, block: Block): boolean {
  if (runBeside.includes(file))
    return isCommands(block) || block.language === 'json' || block.language === 'properties';
  const isPage = file.startsWith('docs/') && !(file in testedElsewhere);
  return isPage && (isCommands(block) || block.path !== '');
}
