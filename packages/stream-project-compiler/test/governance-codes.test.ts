import { describe, expect, test } from 'vitest';
import type { DiagnosticName } from '../src/index.ts';
import { governanceCodes } from '../src/validate/governance/governance-codes.ts';
import { governanceFixtures } from './governance-codes.ts';
import { validateFiles } from './validate-support/validate-files.ts';

const names = Object.keys(governanceCodes) as DiagnosticName[];

describe.each(names)('the diagnostic "%s"', (name) => {
  test('is reported where it is, in words that say what to change', async () => {
    const fixture = governanceFixtures[name];
    const found = await validateFiles(fixture?.files ?? {});
    expect(found.names).toContain(name);
    expect(found.valid).toBe(false);
    expect(found.text).toContain(fixture?.shows ?? 'a fixture');
  });
});
