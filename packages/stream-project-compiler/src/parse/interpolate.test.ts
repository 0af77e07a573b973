import fc from 'fast-check';
import { expect, test } from 'vitest';
import { originOf } from '../text/text-map.ts';
import { interpolate } from './interpolate.ts';

const variables = new Map([
  ['A', 'one'],
  ['EMPTY', ''],
  ['B_2', ['$', '{A}'].join('')],
  ['YAML', 'x\nsql: evil'],
]);
const v = (inner: string): string => ['$', '{', inner, '}'].join('');

test.each<readonly [string, string]>([
  [`${v('A')}`, 'one'],
  [`x ${v('A')} y ${v('A')}`, 'x one y one'],
  [`${v('EMPTY')}`, ''],
  [`${v('EMPTY:-text')}`, 'text'],
  [`${v('NONE:-text')}`, 'text'],
  [`${v('NONE:-')}`, ''],
  [`${v('A:-text')}`, 'one'],
  [`$${v('A')}`, v('A')],
  [`$$${v('A')}`, `$${v('A')}`],
  [v('B_2'), v('A')],
  [v('YAML'), 'x\nsql: evil'],
  [v('file:/run/secrets:key'), v('file:/run/secrets:key')],
  ['$A $(A) {A}', '$A $(A) {A}'],
])('%s becomes %s', (text, expected) => {
  const made = interpolate(text, variables);
  expect(made?.text ?? text).toBe(expected);
  expect(made?.missing ?? []).toEqual([]);
  expect(made?.malformed ?? []).toEqual([]);
});

test('reports each variable without a value once', () => {
  const made = interpolate(`${v('X')}${v('Y')}${v('X')}${v('A')}`, variables);
  expect(made?.missing).toEqual(['X', 'Y']);
  expect(made?.variables).toEqual(['X', 'Y', 'A']);
});

test.each([v(''), v('A-B'), v('1A'), '${A', v('A B'), v(' A ')])(
  '%s is not a valid variable and is kept as text',
  (text) => {
    const made = interpolate(`a${text}b`, variables);
    expect(made?.text).toBe(`a${text}b`);
    expect(made?.malformed).toHaveLength(1);
  },
);

test('text without variables needs no replacing', () => {
  expect(interpolate('plain $ { }', variables)).toBeUndefined();
});

test('every character comes from its own place, those of a variable from the whole of it', () => {
  const text = `ab${v('A')}cd`;
  const { pieces } = interpolate(text, variables) ?? { pieces: [] };
  expect(originOf(pieces, { start: 0, end: 2 })).toEqual({ start: 0, end: 2 });
  expect(originOf(pieces, { start: 3, end: 4 })).toEqual({ start: 2, end: 6 });
  expect(originOf(pieces, { start: 5, end: 7 })).toEqual({ start: 6, end: 8 });
  expect(originOf(pieces, { start: 7, end: 7 })).toEqual({ start: 8, end: 8 });
});

test('pieces follow each other without gaps, in the text and in what it was made from', () => {
  const units = fc.constantFrom('a', '$', '{', '}', 'A', ':', '-', v('A'), v('NONE'), '$${');
  fc.assert(
    fc.property(fc.string({ unit: units }), (text) => {
      const made = interpolate(text, variables);
      let start = 0;
      let from = 0;
      for (const piece of made?.pieces ?? []) {
        expect([piece.start, piece.from]).toEqual([start, from]);
        start += piece.length;
        from += piece.fromLength;
      }
      expect([start, from]).toEqual(made === undefined ? [0, 0] : [made.text.length, text.length]);
    }),
    { numRuns: 500 },
  );
});
