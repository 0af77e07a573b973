import { field } from '@levada/stream-project-schema';
import { expect, test } from 'vitest';
import { catalogue, codeOf, findCode } from './catalogue.ts';
import { keysWithoutEffect } from './keys-without-effect.ts';

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

test('every key without effect is one of the format, and LV1303 names all of them', () => {
  expect(keysWithoutEffect.filter((key) => field(key) === undefined)).toEqual([]);
  expect(keysWithoutEffect.filter((key) => !catalogue.LV1303.doc.includes(`\`${key}\``))).toEqual([]);
});
