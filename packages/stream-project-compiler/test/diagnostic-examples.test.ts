import { expect, test } from 'vitest';
import { diagnosticExamples } from './diagnostic-examples.ts';

test('every code has a project that makes it, and says where, what and which code', async () => {
  const examples = await diagnosticExamples();
  expect(examples.filter(({ text }) => text === undefined)).toEqual([]);
  for (const { code, text = '' } of examples) {
    expect(text).toMatch(/^\S[^\n]*:\d+:\d+ {2}(error|warning|info) {2}LV\d{4} {2}\S/);
    expect(text.split('\n')[0]).toContain(code);
  }
});
