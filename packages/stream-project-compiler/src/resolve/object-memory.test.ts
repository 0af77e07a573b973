import { expect, test } from 'vitest';
import { createObjectMemory } from './object-memory.ts';

test('computes a result once for each object and function', () => {
  const { recall } = createObjectMemory();
  const seen: string[] = [];
  const length = ({ text }: { readonly text: string }) => {
    seen.push(`length ${text}`);
    return text.length;
  };
  const upper = ({ text }: { readonly text: string }) => {
    seen.push(`upper ${text}`);
    return text === '' ? undefined : text.toUpperCase();
  };
  const [one, other] = [{ text: 'ab' }, { text: '' }];
  const results = [one, one, other, other].map((object) => [
    recall(length, object, []),
    recall(upper, object, []),
  ]);
  expect(results).toEqual([
    [2, 'AB'],
    [2, 'AB'],
    [0, undefined],
    [0, undefined],
  ]);
  expect(seen).toEqual(['length ab', 'upper ab', 'length ', 'upper ']);
});

test('a check that found nothing is made again only when what it needs is another object', () => {
  const memory = createObjectMemory();
  const [object, need, another] = [{}, {}, {}];
  let made = 0;
  const check = (name: string, needs: readonly unknown[], findings: readonly string[] = []) =>
    memory.check(name, { object, needs }, () => {
      made += 1;
      return findings;
    });
  check('a', [need]);
  check('a', [need]);
  expect(made).toBe(1);
  check('b', [need]);
  check('a', [another]);
  check('a', [need, another]);
  expect(made).toBe(4);
  memory.check('a', { object: {}, needs: [need, another] }, () => {
    made += 1;
    return [];
  });
  expect(made).toBe(5);
});

test('a check with findings is always made again', () => {
  const memory = createObjectMemory();
  const object = {};
  const found = [['x'], ['x'], [], ['y']].map((findings) =>
    memory.check('a', { object, needs: [] }, () => findings),
  );
  expect(found).toEqual([['x'], ['x'], [], []]);
});

test('a value is computed again when what it needs is another object', () => {
  const { recall } = createObjectMemory();
  const seen: unknown[] = [];
  const pair = (object: object, ...needs: readonly object[]) => {
    seen.push(needs.length);
    return [object, ...needs];
  };
  const [object, need, another] = [{}, {}, {}];
  const first = recall(pair, object, [need]);
  expect(recall(pair, object, [need])).toBe(first);
  expect(recall(pair, object, [another])).toEqual([object, another]);
  expect(recall(pair, object, [another, need])).toHaveLength(3);
  expect(seen).toEqual([1, 1, 2]);
});
