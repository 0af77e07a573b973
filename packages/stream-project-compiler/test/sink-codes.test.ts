import { describe, expect, test } from 'vitest';
import type { DiagnosticName } from '../src/index.ts';
import { sinkCodes } from '../src/validate/structure/sink-codes.ts';
import { sinkFixtures } from './sink-codes.ts';
import { validateFiles } from './validate-support/validate-files.ts';

const rows = Object.entries(sinkCodes).map(([name, { severity }]) => ({
  name: name as keyof typeof sinkCodes,
  severity,
}));

describe.each(rows)('$name', ({ name, severity }) => {
  test('is reported where it is, in words that say what to change', async () => {
    const fixture = sinkFixtures[name satisfies DiagnosticName];
    const found = await validateFiles(fixture?.files ?? {});
    expect(found.text).toContain(fixture?.shows ?? 'a fixture');
    expect(found.names).toContain(name);
    expect(found.valid).toBe(severity !== 'error');
  });
});
