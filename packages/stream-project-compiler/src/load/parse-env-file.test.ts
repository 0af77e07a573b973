import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryOf } from '../report/catalogue.ts';
import { sourceFile } from '../text/source-file.ts';
import { parseEnvFile } from './parse-env-file.ts';

const reference = ['$', '{A}'].join('');

function read(text: string): { readonly values: object; readonly found: readonly string[] } {
  const { value, diagnostics } = parseEnvFile(sourceFile('.env', text, { secret: true }));
  const found = diagnostics.map(({ code, range }) => `${range.start.line} ${entryOf(code).name}`);
  return { values: Object.fromEntries(value), found };
}

test.each<readonly [string, string, object]>([
  ['an empty file', '', {}],
  ['comments and empty lines', '# x\n\n  # y\n', {}],
  ['CRLF and no final line end', 'A=1\r\nB=2', { A: '1', B: '2' }],
  ['lines that end with CR alone', 'A=1\rB=2', { A: '1', B: '2' }],
  ['export', 'export A=1', { A: '1' }],
  ['blanks around the name and the value', ' A = 1 \n', { A: '1' }],
  ['an empty value', 'A=\nB=""', { A: '', B: '' }],
  ['a hash within a value', 'A=1#c', { A: '1#c' }],
  ['a comment after a blank', 'A=1 #c\nB= # c', { A: '1', B: '' }],
  ['a hash right after the sign', 'A=#c', { A: '#c' }],
  ['a hash in quotes', 'A="#" # c', { A: '#' }],
  ['escapes in double quotes', 'A="a\\nb\\t\\"\\\\\\$x\\q"', { A: 'a\nb\t"\\$x\\q' }],
  ['single quotes as they are', "A='a\\nb$X'", { A: 'a\\nb$X' }],
  ['back quotes as they are', 'A=`it\'s "x"`', { A: 'it\'s "x"' }],
  ['a quote within a value', "A=it's", { A: "it's" }],
  [
    'values over several lines',
    'A="-----BEGIN\nabc\r\n-----END"\nB=1',
    { A: '-----BEGIN\nabc\n-----END', B: '1' },
  ],
  [
    'references as text',
    `A=1\nB=${reference}\nC=$A\nD=$(id)\nE=\`id\``,
    { A: '1', B: reference, C: '$A', D: '$(id)', E: 'id' },
  ],
  ['names that objects have', 'constructor=x\ntoString=y', { constructor: 'x', toString: 'y' }],
  [
    'names that other programs read',
    'PATH=\nNODE_OPTIONS=--require x\nLD_PRELOAD=y',
    { PATH: '', NODE_OPTIONS: '--require x', LD_PRELOAD: 'y' },
  ],
  ['values that begin and end with blanks in quotes', 'A="  x "', { A: '  x ' }],
  ['signs of equality in a value', 'A=a=b==', { A: 'a=b==' }],
])('reads %s', (_, text, values) => {
  expect(read(text)).toEqual({ values, found: [] });
});

test.each<readonly [string, string, object, readonly string[]]>([
  ['a line without a sign', 'JUST TEXT\nA=1', { A: '1' }, ['1 env-line']],
  ['a value without a name', '=1\nA=1', { A: '1' }, ['1 env-line']],
  ['a name with a blank', 'A B=1', {}, ['1 env-line']],
  ['a name that begins with a digit', '1A=2', {}, ['1 env-line']],
  ['a name with other letters', 'Ä=1', {}, ['1 env-line']],
  ['a name that comes twice: the last counts', 'A=1\nA=2', { A: '2' }, ['2 env-duplicate']],
  ['a quote without its end', 'A="x\nB=1', { B: '1' }, ['1 env-quote']],
  ['text after the quote', 'A="x"y\nB=1', { B: '1' }, ['1 env-line']],
  ['a NUL', 'A=x\0y\nB=1', { B: '1' }, ['1 env-character']],
  ['a control character in a name', 'A\u0001=x', {}, ['1 env-character']],
  ['an escape that ends the quote', 'A="x\\"\nB=1', { B: '1' }, ['1 env-quote']],
])('reports %s', (_, text, values, found) => {
  expect(read(text)).toEqual({ values, found });
});

test('__proto__ is a name like any other', () => {
  const { value } = parseEnvFile(sourceFile('.env', '__proto__=x'));
  expect([...value]).toEqual([['__proto__', 'x']]);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test('no message holds a value', () => {
  const { diagnostics } = parseEnvFile(
    sourceFile('.env', 'A="hunter2\nB hunter2\nC="hunter2" x\nD=hunter2\0\nE=hunter2\nE=hunter2'),
  );
  expect(diagnostics.length).toBeGreaterThan(2);
  expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
});

test('reads back text that is written in double quotes', () => {
  const names = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
  const values = fc.string({
    unit: fc.constantFrom('a', '"', "'", '\\', '\n', '#', ' ', '$', '=', '`', 'é'),
  });
  fc.assert(
    fc.property(fc.dictionary(names, values, { noNullPrototype: true }), (wanted) => {
      const lines = Object.entries(wanted).map(([name, value]) => {
        const quoted = value.replaceAll(/[\\"$]/g, (character) => `\\${character}`);
        return `${name}="${quoted}"`;
      });
      expect(Object.fromEntries(parseEnvFile(sourceFile('.env', lines.join('\n'))).value)).toEqual(wanted);
    }),
    { numRuns: 500 },
  );
});

test('takes time that grows with the size, whatever the file holds', () => {
  const texts = ['A="', "A='\n", 'A="\\"\n', 'A=`x\nB="y\nC=\'z\n', 'x\n', 'A=1\n'];
  for (const text of texts) {
    const { value } = parseEnvFile(sourceFile('.env', text.repeat(1_000_000 / text.length)));
    expect(value.size).toBeLessThan(4);
  }
});
