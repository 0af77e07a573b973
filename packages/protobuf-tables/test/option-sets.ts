import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { Options } from './equality.ts';

const FLAGS = ['defaults', 'protoNames', 'enumsAsIntegers', 'safeIntegersAsNumbers'] as const;

/** All combinations of output options for a message. */
export function optionSets(root: DescMessage): Options[] {
  const hexFields = bytesFields(root);
  return Array.from({ length: 32 }, (_, bits) => {
    const flags = Object.fromEntries(
      FLAGS.map((flag, at) => [flag, ((bits >> at) & 1) === (at === 0 ? 0 : 1)]),
    );
    return bits < 16 ? flags : { ...flags, hexFields };
  });
}

/** Every other field of type bytes that a message can contain. */
function bytesFields(root: DescMessage): ReadonlySet<string> {
  const names: string[] = [];
  const seen = new Set<DescMessage>([root]);
  for (const message of seen) {
    for (const field of message.fields) {
      if (field.message !== undefined) seen.add(field.message);
      const own = !message.typeName.startsWith('google.protobuf.');
      if (field.scalar === ScalarType.BYTES && own) names.push(`${message.typeName}.${field.name}`);
    }
  }
  return new Set(names.filter((_, index) => index % 2 === 0));
}
