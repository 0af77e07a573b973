import { readFileSync } from 'node:fs';
import type { Schema } from '@levada/connect-runtime-core';
import { logicalTypes } from '@levada/connect-runtime-core/contract';

/** The result of Confluent's converter for a value. */
export interface GoldenCase {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
  readonly schema: Schema | null;
  readonly value: unknown;
  /** Hexadecimal, after the magic byte and the id; null for no value. */
  readonly bytes: string | null;
  /** The registered schema; undefined if ours differs on purpose. */
  readonly text: string | undefined;
}

interface Recorded extends Omit<GoldenCase, 'schema' | 'config'> {
  readonly config?: GoldenCase['config'];
  readonly schema: RecordedSchema | null;
}

interface RecordedSchema extends Omit<Schema, 'fields' | 'items' | 'keys'> {
  readonly fields?: readonly { readonly field: string; readonly schema: RecordedSchema }[];
  readonly items?: RecordedSchema;
  readonly keys?: RecordedSchema;
}

/**
 * The cases of a format, recorded from version 7.6.0 of Confluent's converters. Values are JSON: int64 as text, bytes as base64,
 * maps as lists of pairs, times as milliseconds.
 */
export function goldenCases(format: 'avro' | 'json' | 'protobuf'): readonly GoldenCase[] {
  const file = new URL(`golden/${format}.json`, import.meta.url);
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];
  return recorded.map((each) => ({
    ...each,
    config: each.config ?? {},
    schema: schemaOf(each.schema),
    value: recordedValue(each.schema, each.value),
  }));
}

function schemaOf(recorded: RecordedSchema): Schema;
function schemaOf(recorded: RecordedSchema | null): Schema | null;
function schemaOf(recorded: RecordedSchema | null): Schema | null {
  if (recorded === null) return null;
  const { fields, items, keys, ...rest } = recorded;
  return {
    ...rest,
    ...(fields === undefined
      ? {}
      : { fields: fields.map(({ field, schema }) => ({ field, schema: schemaOf(schema) })) }),
    ...(items === undefined ? {} : { items: schemaOf(items) }),
    ...(keys === undefined ? {} : { keys: schemaOf(keys) }),
    ...(recorded.default === undefined ? {} : { default: recordedValue(recorded, recorded.default) }),
  };
}

const times: readonly string[] = [logicalTypes.date, logicalTypes.time, logicalTypes.timestamp];

function recordedValue(schema: RecordedSchema | null | undefined, json: unknown): unknown {
  if (json === null || schema === null || schema === undefined) return json;
  if (schema.name === logicalTypes.decimal) {
    const { unscaled, scale } = json as { readonly unscaled: string; readonly scale: number };
    return { unscaled: BigInt(unscaled), scale };
  }
  if (times.includes(schema.name ?? '')) return new Date(json as number);
  const { type } = schema;
  if (type === 'int64') return BigInt(json as string);
  if (type === 'bytes') return Buffer.from(json as string, 'base64');
  if (type === 'array') return (json as readonly unknown[]).map((item) => recordedValue(schema.items, item));
  if (type === 'map') {
    const pairs = json as readonly (readonly [unknown, unknown])[];
    return new Map(
      pairs.map(([key, item]) => [recordedValue(schema.keys, key), recordedValue(schema.items, item)]),
    );
  }
  if (type !== 'struct') return json;
  const fields = new Map(schema.fields?.map(({ field, schema: of }) => [field, of]));
  const entries = Object.entries(json as Readonly<Record<string, unknown>>);
  return Object.fromEntries(entries.map(([name, item]) => [name, recordedValue(fields.get(name), item)]));
}
