import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openEditor } from '@levada/test-peers/editor';
import { expect, it } from 'vitest';

// Here, because this package has all that the guide imports.
it('finds no errors in the code of the guide to reading streams', () => {
  const guide = readFileSync(new URL('../../../docs/guides/read-a-stream.md', import.meta.url), 'utf8');
  const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(5);
  const editor = openEditor(fileURLToPath(new URL('../', import.meta.url)));
  expect(blocks.map((code) => editor.errors(code))).toEqual(blocks.map(() => []));
});
