import { describe, expect, test } from 'vitest';
import { columnCodes } from '../src/columns/column-codes.ts';
import { catalogue, type DiagnosticName } from '../src/index.ts';
import { columnFixtures } from './column-codes.ts';
import { compileFiles } from './resolve-support/compile-files.ts';

const names = Object.values(columnCodes).map(({ name }): DiagnosticName => name);

describe.each(names)('%s', (name) => {
  test('is reported where it is, in words that say what to change', async () => {
    const fixture = columnFixtures[name];
    const { diagnostics, text } = await compileFiles(fixture?.files ?? {});
    expect(diagnostics.map(({ code }) => catalogue[code].name)).toContain(name);
    expect(text).toContain(fixture?.shows ?? 'a fixture');
  });
});
