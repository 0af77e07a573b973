import { describe, expect, test } from 'vitest';
import type { DiagnosticName } from '../src/index.ts';
import { securityCodes } from '../src/validate/security/security-codes.ts';
import { securityFixtures } from './security-codes.ts';
import { validateFiles } from './validate-support/validate-files.ts';

const names = Object.keys(securityCodes) as DiagnosticName[];

describe.each(names)('the diagnostic "%s"', (name) => {
  test('is reported where it is, in words that say what to change', async () => {
    const fixture = securityFixtures[name];
    const found = await validateFiles(fixture?.files ?? {});
    expect(found.names).toContain(name);
    expect(found.text).toContain(fixture?.shows ?? 'a fixture');
  });
});
