import { equalityCheck } from './equality.ts';
import { mutated } from './mutations.ts';
import { randomMessage } from './random-message.ts';
import { randomSchema } from './random-schema.ts';
import { randomSource } from './random-source.ts';
import { strictWire } from './strict-wire.ts';
import { WELL_KNOWN_TYPES } from './well-known-files.ts';

/**
 * An Any's message would be read by @bufbuild/protobuf without the strict reader before it; and extensions, which it reads
 * when it writes them, not at all where another value takes the place of their message.
 */
const LIMITS = {
  wellKnownTypes: WELL_KNOWN_TYPES.filter((type) => type !== 'google.protobuf.Any'),
  extensions: false,
};

/**
 * Compares mutated messages of the schema of a seed with what `@bufbuild/protobuf` makes of what a strict reader leaves of
 * them. Calls `found` with each difference; returns how many messages were converted.
 */
export function runBroken(seed: number, count: number, found: (text: string) => void): number {
  const { root, registry } = randomSchema(seed, LIMITS);
  const random = randomSource(seed);
  const messages = Array.from({ length: 10 }, () =>
    randomMessage(root, random.bits(), { registry, invalidShare: 0, size: 20 }),
  );
  let converted = 0;
  const check = equalityCheck(root, registry, {}, (wire) => {
    const strict = strictWire(root, registry, wire);
    converted += 1;
    return strict;
  });
  for (let left = count; left > 0; left -= 1) {
    const wire = mutated(random.pick(messages), messages, random);
    const problem = check(wire);
    if (problem !== undefined)
      found(`schema of seed ${seed}, wire ${Buffer.from(wire).toString('hex')}: ${problem}`);
  }
  return converted;
}
