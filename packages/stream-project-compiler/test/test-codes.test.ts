import { describe, expect, test } from 'vitest';
import type { DiagnosticName } from '../src/index.ts';
import { declarationCodes } from '../src/validate/declarations/declaration-codes.ts';
import { exposureCodes } from '../src/validate/exposures/exposure-codes.ts';
import { testCodes } from '../src/validate/tests/test-codes.ts';
import { testFixtures } from './test-codes.ts';
import { validateFiles } from './validate-support/validate-files.ts';

const codes = { ...testCodes, ...exposureCodes, ...declarationCodes };
const names = Object.keys(codes) as DiagnosticName[];

describe.each(names)('the diagnostic "%s"', (name) => {
  test('is reported where it is, in words that say what to change, and nothing else is', async () => {
    const fixture = testFixtures[name];
    const found = await validateFiles(fixture?.files ?? {});
    expect(found.names).toEqual([name]);
    expect(found.text).toContain(fixture?.shows ?? 'a fixture');
  });
});
