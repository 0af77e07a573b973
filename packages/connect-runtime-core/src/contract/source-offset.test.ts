import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './source-offset.ts';

const values = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const maps = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '1', '10', '2')),
  values,
);

describe('canonicalJson', () => {
  it('gives the same text whatever the order of the keys', () => {
    const property = fc.property(maps, (map) => {
      const entries = Object.entries(map);
      const turned = Object.fromEntries(entries.toReversed());
      expect(canonicalJson(turned)).toBe(canonicalJson(map));
    });
    fc.assert(property);
  });

  it('is JSON of the same map', () => {
    const property = fc.property(maps, (map) => {
      expect(JSON.parse(canonicalJson(map))).toEqual(JSON.parse(JSON.stringify(map)));
    });
    fc.assert(property);
  });

  it('gives different texts to different maps', () => {
    expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }));
    expect(canonicalJson({ 'a":1,"b': 2 })).not.toBe(canonicalJson({ a: 1, b: 2 }));
  });

  it('is compact, with sorted keys', () => {
    expect(canonicalJson({ b: null, a: 'x', '10': true, '2': 0.5 })).toBe(
      '{"10":true,"2":0.5,"a":"x","b":null}',
    );
  });
});
