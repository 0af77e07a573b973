import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { type Check, equalityCheck, type Options } from './equality.ts';
import { optionSets } from './option-sets.ts';
import { type MessageOptions, randomMessage } from './random-message.ts';
import type { RandomSchema } from './random-schema.ts';
import { randomSource } from './random-source.ts';
import { reduceCase } from './reduce-case.ts';

export interface RunOptions {
  /** Messages per schema. */
  readonly messages: number;
  /** Sets of options in addition to the defaults. Each message is written with one of them and with the defaults. */
  readonly optionSets: number;
  readonly message?: Omit<MessageOptions, 'registry'>;
}

/** Compares random messages of one schema. Calls `found` with a description of each difference. Returns the number of cases. */
export function runEquality(
  schema: RandomSchema,
  options: RunOptions,
  found: (text: string) => void,
): number {
  const { root, registry } = schema;
  const random = randomSource(schema.seed);
  const sets = [{}, ...random.shuffled(optionSets(root)).slice(0, options.optionSets)];
  const checks = sets.map((set) => equalityCheck(root, registry, set));
  let cases = 0;
  for (let message = 0; message < options.messages; message += 1) {
    const wire = randomMessage(root, random.bits(), { ...options.message, registry });
    for (const at of checks.length > 1 ? [0, 1 + random.below(checks.length - 1)] : [0]) {
      cases += 1;
      const check = checks[at] as Check;
      if (check(wire) !== undefined) found(describe({ schema, options: sets[at] as Options, wire }));
    }
  }
  return cases;
}

interface Difference {
  readonly schema: RandomSchema;
  readonly options: Options;
  readonly wire: Uint8Array<ArrayBuffer>;
}

/** Describes the smallest message that still differs, with everything needed to reproduce it. */
function describe({ schema, options, wire }: Difference): string {
  const check = equalityCheck(schema.root, schema.registry, options);
  const several = (bytes: Uint8Array<ArrayBuffer>): string | undefined => {
    for (let placement = 0; placement < 12; placement += 1) {
      const problem = check(bytes);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const small = reduceCase(wire, schema.root, (bytes) => several(bytes) !== undefined);
  const { hexFields, ...flags } = options;
  return [
    `schema of seed ${schema.seed} (${schema.file.syntax}), options ${JSON.stringify({ ...flags, hexFields: [...(hexFields ?? [])] })}`,
    `wire ${Buffer.from(small).toString('hex')}`,
    several(small) ?? `only after other messages: ${Buffer.from(wire).toString('hex')}`,
    ...fieldsIn(schema.root),
  ].join('\n');
}

function fieldsIn(root: DescMessage): string[] {
  return root.fields.map(
    (field) => `  ${field.number}: ${kindOf(field)} ${field.name} (${JSON.stringify(field.jsonName)})`,
  );
}

function kindOf(field: DescField): string {
  const value = field.message?.typeName ?? field.enum?.typeName ?? `scalar ${field.scalar}`;
  const marks = [
    field.fieldKind === 'map' ? `map by scalar ${field.mapKey}` : field.fieldKind,
    field.fieldKind === 'list' && field.packed ? 'packed' : '',
    'delimitedEncoding' in field && field.delimitedEncoding ? 'group' : '',
    field.oneof === undefined ? '' : `oneof ${field.oneof.name}`,
    field.enum?.open === false ? 'closed' : '',
    ['', 'explicit', 'implicit', 'required'][field.presence] ?? '',
  ];
  return `${marks.filter((mark) => mark !== '').join(' ')} ${value}`;
}
