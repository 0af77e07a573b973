import { createFileRegistry, type Registry } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { wireToJson } from '../src/index.ts';
import { type Check, equalityCheck } from './equality.ts';
import { optionSets } from './option-sets.ts';
import { propertyRuns, propertyTimeout } from './property-runs.ts';
import { messageOf } from './proto-text.ts';
import { randomMessage } from './random-message.ts';
import { randomSchema, seeds } from './random-schema.ts';
import { randomSource } from './random-source.ts';
import { WELL_KNOWN_TYPES } from './well-known-files.ts';

vi.setConfig({ testTimeout: propertyTimeout() });

const EMPTY: Registry = createFileRegistry();

test.each(WELL_KNOWN_TYPES)('a message that is a %s is converted', (typeName) => {
  const { registry } = randomSchema(1);
  const desc = messageOf(registry, typeName);
  const checks = [{}, ...optionSets(desc)].map((options) => equalityCheck(desc, registry, options));
  const random = randomSource(3);
  for (let message = propertyRuns(600); message > 0; message -= 1) {
    const wire = randomMessage(desc, random.bits(), { registry, invalidShare: 0.05 });
    expect(random.pick(checks)(wire)).toBeUndefined();
  }
});

test('without a registry, Any is refused and extensions are skipped, as in @bufbuild/protobuf', () => {
  const property = fc.property(seeds(), (seed) => {
    const { root, registry } = randomSchema(seed);
    const check = equalityCheck(root, EMPTY, {});
    for (let message = 0; message < 30; message += 1) {
      expect(check(randomMessage(root, seed + message, { registry }))).toBeUndefined();
    }
  });
  fc.assert(property, { numRuns: propertyRuns(40) });
});

test('converters of several schemas do not affect each other, even after refused messages', () => {
  const schemas = Array.from({ length: 12 }, (_, seed) => randomSchema(1000 + seed));
  const checks = schemas.map(({ root, registry }): Check => equalityCheck(root, registry, {}));
  const random = randomSource(4);
  for (let message = propertyRuns(3000); message > 0; message -= 1) {
    const at = random.below(schemas.length);
    const { root, registry } = schemas[at] as (typeof schemas)[number];
    const wire = randomMessage(root, random.bits(), { registry, invalidShare: 0.05 });
    expect(checks[at]?.(wire)).toBeUndefined();
  }
});

test('several messages can be written into one buffer', () => {
  const property = fc.property(seeds(), (seed) => {
    const { root, registry } = randomSchema(seed);
    const [one, other] = [wireToJson(root, { registry }), wireToJson(root, { registry })];
    const messages = Array.from({ length: 20 }, (_, at) =>
      randomMessage(root, seed + at, { registry, invalidShare: 0, ways: { invalidText: false } }),
    );
    const batch = new Uint8Array(2_000_000).subarray(seed % 8);
    let at = 0;
    let text = '';
    for (const message of messages) {
      const json = tryConvert(() => Buffer.from(one.convert(message)).toString());
      if (json === undefined) continue;
      const end = other.write(message, batch, at);
      expect(end).toBe(at + Buffer.byteLength(json));
      text += json;
      at = end;
    }
    expect(Buffer.from(batch.subarray(0, at)).toString()).toBe(text);
  });
  fc.assert(property, { numRuns: propertyRuns(30) });
});

/** Undefined if the message is refused, e.g. without a required field. */
function tryConvert(convert: () => string): string | undefined {
  try {
    return convert();
  } catch {
    return undefined; // other tests check the reason
  }
}
