import { expect, it } from 'vitest';
import { bodyFormOf } from './media-type.ts';

it.each([
  ['application/x-protobuf', 'protobuf'],
  ['application/json', 'json'],
  ['APPLICATION/JSON', 'json'],
  ['Application/X-Protobuf;', 'protobuf'],
  ['application/json; charset=utf-8', 'json'],
  ['application/json;charset=UTF8', 'json'],
  ['application/json\t;\tcharset="utf-8"', 'json'],
  ['application/json; odata=verbose; charset=utf-8 ', 'json'],
  ['application/x-protobuf; a="b;c\\"d"; e=f', 'protobuf'],
] as const)("bodyFormOf reads '%s' as %s", (type, form) => {
  expect(bodyFormOf(type)).toBe(form);
});

it.each([
  undefined,
  '',
  ' ',
  ';',
  'json',
  'application/json, application/json',
  'application/json application/x-protobuf',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-8; charset=latin1',
  'application/json; charset=""',
  'application/json; a=b c',
  'application/json; a="b',
  'application/json; =b',
  'application/json+x',
  'application/protobuf',
])("bodyFormOf takes '%s' for no type of OTLP", (type) => {
  expect(bodyFormOf(type)).toBeUndefined();
});

it('bodyFormOf rejects hostile media types quickly', () => {
  for (const filler of [' ', ';', '; a', ';a="\\', ';a=', '\t; ']) {
    expect(bodyFormOf(`application/json${filler.repeat(5000)}\0`)).toBeUndefined();
  }
});
