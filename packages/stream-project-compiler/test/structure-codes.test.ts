import { describe, expect, test } from 'vitest';
import type { DiagnosticName } from '../src/index.ts';
import { structureCodes } from '../src/validate/structure/structure-codes.ts';
import { structureFixtures } from './structure-codes.ts';
import { validateFiles } from './validate-support/validate-files.ts';

const rows = Object.entries(structureCodes).map(([name, { severity }]) => ({
  name: name as keyof typeof structureCodes,
  severity,
}));

describe.each(rows)('$name', ({ name, severity }) => {
  test('is reported where it is, in words that say what to change', async () => {
    const fixture = structureFixtures[name satisfies DiagnosticName];
    const found = await validateFiles(fixture?.files ?? {});
    expect(found.text).toContain(fixture?.shows ?? 'a fixture');
    expect(found.names).toContain(name);
    expect(found.valid).toBe(severity !== 'error');
  });
});
