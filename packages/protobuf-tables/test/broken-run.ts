import { equalityCheck } from './equality.ts';
import { mutate } from './mutations.ts';
import { randomMessage } from './random-message.ts';
import { randomSchema } from './random-schema.ts';
import { randomSource } from './random-source.ts';
import { strictWire } from './strict-wire.ts';
import { WELL_KNOWN_TYPES } from './well-known-files.ts';

/**
 * Without Any and extensions. @bufbuild/protobuf would read the message of an Any without the strict reader, and reads extensions
 * only when it writes them, so never if another value replaces their message.
 */
const LIMITS = {
  wellKnownTypes: WELL_KNOWN_TYPES.filter((type) => type !== 'google.protobuf.Any'),
  extensions: false,
};

/**
 * Compares mutated messages of the schema of a seed with the output of `@bufbuild/protobuf` for the part that a strict reader
 * accepts. Calls `found` with each difference. Returns the number of converted messages.
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
    const wire = mutate(random.pick(messages), messages, random);
    const problem = check(wire);
    if (problem !== undefined)
      found(`schema of seed ${seed}, wire ${Buffer.from(wire).toString('hex')}: ${problem}`);
  }
  return converted;
}
