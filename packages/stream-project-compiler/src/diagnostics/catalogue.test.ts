import { expect, test } from 'vitest';
import { catalogue, codeOf, findCode } from './catalogue.ts';

test('a name belongs to one code', () => {
  const names = Object.values(catalogue).map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('a code is found by its number and by its name', () => {
  expect([findCode('LV1301'), findCode(catalogue.LV1301.name), codeOf(catalogue.LV1301.name)]).toEqual([
    'LV1301',
    'LV1301',
    'LV1301',
  ]);
  expect(findCode('toString')).toBeUndefined();
});
