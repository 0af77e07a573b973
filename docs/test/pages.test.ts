import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { allPages, blocksOf } from './page-blocks.ts';
import { runPage } from './run-page.ts';

/** Pages whose code other tests run, and these tests. */
const testedBy: Readonly<Record<string, string>> = {
  'guides/bundling.md': 'tools/packages/check-bundle.mjs',
  'guides/move-from-kafka-connect.md': 'packages/cli/test/move-guide.faults.test.ts',
  'guides/read-a-stream.md': 'packages/runtime-server/test/read-a-stream.test.ts',
  'guides/stream-projects.md': 'packages/stream-project-compiler/test/guide.test.ts',
  'guides/test-your-service.md': 'packages/connect-runtime-core/test/readme.test.ts',
  'guides/websocket-feeds.md': 'packages/source-websocket/test/recipes.test.ts',
  'guides/write-a-connector.md': 'packages/runtime-server/test/end-to-end/guide.test.ts',
  'reference/diagnostics.md': 'packages/stream-project-compiler/test/diagnostic-examples.test.ts',
};

/** Languages of pictures and of fragments that no one runs. */
const shown = new Set(['text']);

const pages = allPages().filter((page) => !/^(?:decisions|reference\/api)\//.test(page));
const run = pages.filter(
  (page) =>
    testedBy[page] === undefined &&
    blocksOf(page).some((block) => block.notRun === undefined && !shown.has(block.language)),
);

it.each(Object.entries(testedBy))('%s has a test of its own', (page, test) => {
  const text = readFileSync(fileURLToPath(new URL(`../../${test}`, import.meta.url)), 'utf8');
  const name = page.replace(/^.*\/|\.md$/g, '');
  expect(text).toMatch(new RegExp(`${name}|guideBlocks|diagnosticExamples|guide`));
});

describeWithSharedBroker('what a page says', { version: '3.9.1' }, (broker) => {
  it.each(run)(
    'works: %s',
    async (page) => {
      const difference = await runPage(blocksOf(page), { bootstrap: broker().bootstrap });
      expect(difference).toBeUndefined();
    },
    180_000,
  );
});
