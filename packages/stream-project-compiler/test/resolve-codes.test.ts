import { sqlDiagnosticTitles } from '@levada/stream-sql';
import { describe, expect, test } from 'vitest';
import { type DiagnosticName, entryOf } from '../src/index.ts';
import { inferCodes } from '../src/infer/infer-codes.ts';
import { resolveCodes } from '../src/resolve/resolve-codes.ts';
import { resolveFixtures } from './resolve-codes.ts';
import { compileFiles } from './resolve-support/compile-files.ts';

const names = Object.keys({ ...resolveCodes, ...inferCodes }) as DiagnosticName[];

describe.each(names)('the diagnostic "%s"', (name) => {
  test('is reported where it is, in words that say what to change', async () => {
    const fixture = resolveFixtures[name];
    const { diagnostics, text } = await compileFiles(fixture?.files ?? {});
    expect(diagnostics.map(({ code }) => entryOf(code).name)).toContain(name);
    expect(text).toContain(fixture?.shows ?? 'a fixture');
  });
});

test('every code of the SQL parser is in the catalogue', () => {
  expect(names).toEqual(expect.arrayContaining(Object.keys(sqlDiagnosticTitles)));
});
