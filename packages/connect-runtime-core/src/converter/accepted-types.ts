import type { ProducedTypes } from '../contract/schema.ts';
import type { Converter } from './converter.ts';

/** Types of numbers of Kafka Connect's data model. */
export const numberTypes = ['int8', 'int16', 'int32', 'int64', 'float32', 'float64'] as const;

/** A part of a record that has a converter of its own. */
export type RecordPart = keyof ProducedTypes;

/**
 * What a converter cannot take of a part of the records, in words: `it cannot convert BYTES, which is the type of the values
 * that are produced`. Undefined when it takes all, or when nothing is stated.
 */
export function unacceptedTypes(
  converter: Converter,
  part: RecordPart,
  produced: ProducedTypes,
): string | undefined {
  const { accepts } = converter;
  const refused =
    accepts === undefined ? [] : (produced[part] ?? []).filter((type) => !accepts.includes(type));
  if (refused.length === 0) return undefined;
  const [types, are] = [
    refused.map((type) => type.toUpperCase()).join(' and '),
    refused.length > 1 ? 'are' : 'is',
  ];
  const kind = refused.length > 1 ? 'types' : 'type';
  return `it cannot convert ${types}, which ${are} the ${kind} of the ${part}s that are produced`;
}
