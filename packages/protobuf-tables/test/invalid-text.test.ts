import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { wireToJson } from '../src/index.ts';
import { equalityCheck } from './equality.ts';
import { attack } from './fuzz-run.ts';
import { propertyRuns, propertyTimeout } from './property-runs.ts';
import { messageOf, protoText } from './proto-text.ts';
import { randomMessage } from './random-message.ts';
import { randomSchema, seeds } from './random-schema.ts';

vi.setConfig({ testTimeout: propertyTimeout() });

const ways = { invalidText: true };

test('text that is not UTF-8 is refused, as in @bufbuild/protobuf', () => {
  const property = fc.property(seeds(), (seed) => {
    const { root, registry } = randomSchema(seed, { syntax: 'proto3' });
    const check = equalityCheck(root, registry, {});
    for (let message = 0; message < 40; message += 1) {
      expect(check(randomMessage(root, seed + message, { registry, ways }))).toBeUndefined();
    }
  });
  fc.assert(property, { numRuns: propertyRuns(40) });
});

test('with replace, text that is not UTF-8 is decoded as TextDecoder does', () => {
  // proto2 does not validate text, so @bufbuild/protobuf replaces there
  const property = fc.property(seeds(), (seed) => {
    const { root, registry } = randomSchema(seed, { syntax: 'proto2', wellKnownTypes: [] });
    const check = equalityCheck(root, registry, { invalidUtf8: 'replace' });
    for (let message = 0; message < 40; message += 1) {
      expect(check(randomMessage(root, seed + message, { registry, ways }))).toBeUndefined();
    }
  });
  fc.assert(property, { numRuns: propertyRuns(40) });
});

const TEXTS = protoText(`
syntax = "proto3";
package texts;
message Texts { string one = 1; repeated string list = 2; map<string, string> map = 3; }
`);
const WRONG = [0xed, 0xa0, 0x80];

test.each([
  ['a field', [10, 3, ...WRONG]],
  ['a list', [18, 3, ...WRONG]],
  ['a key of a map', [26, 5, 10, 3, ...WRONG]],
  ['a value of a map', [26, 5, 18, 3, ...WRONG]],
  ['a field that is given again', [10, 3, ...WRONG, 10, 1, 97]],
])('a lone surrogate in %s is refused or replaced', (_, bytes) => {
  const texts = messageOf(TEXTS, 'texts.Texts');
  const wire = Uint8Array.from(bytes);
  expect(attack(wireToJson(texts), wire).outcome).toBe('refused');
  expect(attack(wireToJson(texts, { invalidUtf8: 'replace' }), wire).outcome).toBe('converted');
});
