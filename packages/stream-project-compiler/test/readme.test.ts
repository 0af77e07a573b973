import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MAX_SQL_DEPTH, MAX_SQL_DIAGNOSTICS, MAX_SQL_HEIGHT, MAX_SQL_TOKENS } from '@levada/stream-sql';
import { describe, expect, it } from 'vitest';
import { loadLimits } from '../src/load/file-system.ts';
import { yamlLimits } from '../src/parse/read-yaml-tokens.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [whole = '', inMemory = ''] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]);
const shop = fileURLToPath(new URL('../../../examples/shop-project', import.meta.url));

describe('the README', () => {
  it('says the limits', () => {
    const said = readme.replaceAll(',', '').replaceAll(/\s+/g, ' ');
    const { tokens, lines, entries, depth } = yamlLimits;
    const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;
    for (const limit of [
      `${loadLimits.files} files ${mebibytes(loadLimits.projectBytes)}`,
      `${mebibytes(loadLimits.fileBytes)} ${lines} lines ${tokens} keys values and punctuation marks ${entries} entries nesting of ${depth} levels`,
      `${MAX_SQL_TOKENS} tokens nesting of ${MAX_SQL_DEPTH} levels ${MAX_SQL_HEIGHT} operators in a row ${MAX_SQL_DIAGNOSTICS} mistakes`,
    ])
      expect(said).toContain(limit);
  });

  it('says what its example prints', () => {
    const said = [...whole.matchAll(/^console\.log.*\/\/ (.*)$/gm)].map((match) => match[1]);
    expect(printedBy(whole.replace("'shop'", JSON.stringify(shop)))).toEqual(said);
  });

  it('says what its example in memory prints', () => {
    const said = [...inMemory.matchAll(/^\/\/ (.*)$/gm)].map((match) => match[1]);
    expect(printedBy(inMemory)).toEqual(said);
  });
});

function printedBy(code: string): readonly string[] {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return printed.trim().split('\n');
}
