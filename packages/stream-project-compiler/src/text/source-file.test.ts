import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineText, offsetAt, positionAt, rangeAt, sourceFile } from './source-file.ts';

const file = sourceFile('models/a.yml', 'ab\ncd\r\n\re😀f');

test('lines end with LF, CRLF and CR', () => {
  expect([1, 2, 3, 4, 5].map((line) => lineText(file, line))).toEqual(['ab', 'cd', '', 'e😀f', '']);
});

test('lines and columns count from 1, columns in UTF-16 code units', () => {
  expect(positionAt(file, 0)).toEqual({ line: 1, column: 1 });
  expect(positionAt(file, 3)).toEqual({ line: 2, column: 1 });
  expect(positionAt(file, file.text.length)).toEqual({ line: 4, column: 5 });
});

test('an offset beyond the text is at its end, and one before it at its start', () => {
  expect(positionAt(file, 1000)).toEqual({ line: 4, column: 5 });
  expect(positionAt(file, -1)).toEqual({ line: 1, column: 1 });
});

test('a place beyond its line is at the end of the line', () => {
  expect(offsetAt(file, { line: 1, column: 99 })).toBe(2);
  expect(offsetAt(file, { line: 99, column: 1 })).toBe(file.text.length);
  expect(offsetAt(file, { line: 0, column: 1 })).toBe(0);
});

test('a range names its file and is half-open', () => {
  expect(rangeAt(file, { start: 0, end: 2 })).toEqual({
    file: 'models/a.yml',
    start: { line: 1, column: 1 },
    end: { line: 1, column: 3 },
  });
});

test('the offset of the place of an offset is that offset', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r', '\r\n', '😀', '\u2028') });
  fc.assert(
    fc.property(texts, fc.nat(), (text, seed) => {
      const some = sourceFile('a', text);
      const offset = seed % (text.length + 1);
      const between = text[offset - 1] === '\r' && text[offset] === '\n';
      expect(offsetAt(some, positionAt(some, offset))).toBe(between ? offset - 1 : offset);
    }),
    { numRuns: 500 },
  );
});
