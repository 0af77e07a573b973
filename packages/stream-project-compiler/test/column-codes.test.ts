import { describe, expect, test } from 'vitest';
import { columnCodes } from '../src/columns/column-codes.ts';
import { type DiagnosticName, entryOf } from '../src/index.ts';
import { columnFixtures } from './column-codes.ts';
import { compileFiles } from './resolve-support/compile-files.ts';

const names = Object.keys(columnCodes) as DiagnosticName[];

describe.each(names)('the diagnostic "%s"', (name) => {
  test('is reported where it is, in words that say what to change', async () => {
    const fixture = columnFixtures[name];
    const { diagnostics, text } = await compileFiles(fixture?.files ?? {});
    expect(diagnostics.map(({ code }) => entryOf(code).name)).toContain(name);
    expect(text).toContain(fixture?.shows ?? 'a fixture');
  });
});
