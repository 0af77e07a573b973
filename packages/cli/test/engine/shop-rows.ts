import { readFileSync } from 'node:fs';
import { type ReachableBroker, readTopic } from '@levada/kafka-testkit';
import avro from 'avsc';

const READ_LIMIT_MS = 120_000;

const textOf = (guide: string) =>
  readFileSync(new URL(`../../../../docs/guides/${guide}.md`, import.meta.url), 'utf8');

/** The rows that a guide shows of a topic: those of each of its blocks, in order. */
export function guideRows<T>(topic: string, guide = 'stream-projects'): readonly (readonly T[])[] {
  const blocks = textOf(guide).matchAll(/^```jsonl (\S+)\n([\s\S]*?)^```$/gm);
  return [...blocks]
    .filter(([, name]) => name === topic)
    .map(([, , text = '']) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as T),
    );
}

/** A record with its key and its value as JSON. */
export interface JsonRecord {
  readonly key: unknown;
  readonly value: unknown;
}

/** Reads a topic from its beginning until there are as many records. */
export async function readJson(
  broker: ReachableBroker,
  topic: string,
  count: number,
): Promise<readonly JsonRecord[]> {
  const parsed = (text: Buffer | null) => (text === null ? null : (JSON.parse(String(text)) as unknown));
  const records = await readTopic(broker, topic, { count, withinMs: READ_LIMIT_MS });
  return records.map(({ key, value }) => ({ key: parsed(key), value: parsed(value) }));
}

/** As {@link readJson}, for keys and values in Avro: times as `2026-01-01 10:00:00`, and decimals as numbers. */
export async function readAvro(
  broker: ReachableBroker,
  topic: string,
  { count, registry }: { readonly count: number; readonly registry: string },
): Promise<readonly JsonRecord[]> {
  const types = new Map<number, avro.Type>();
  const parsed = async (bytes: Buffer | null) => {
    if (bytes === null) return null;
    const id = bytes.readInt32BE(1);
    const type = types.get(id) ?? (await schemaType(registry, id));
    types.set(id, type);
    return { ...(type.fromBuffer(bytes.subarray(5)) as object) };
  };
  const records = await readTopic(broker, topic, { count, withinMs: READ_LIMIT_MS });
  return await Promise.all(
    records.map(async ({ key, value }) => ({ key: await parsed(key), value: await parsed(value) })),
  );
}

async function schemaType(registry: string, id: number): Promise<avro.Type> {
  const response = await fetch(`${registry}/schemas/ids/${id}`);
  const { schema } = (await response.json()) as { readonly schema: string };
  return avro.Type.forSchema(JSON.parse(schema) as avro.Schema, {
    logicalTypes: { decimal: Decimal, 'timestamp-millis': Time },
  });
}

class Decimal extends avro.types.LogicalType {
  readonly #scale: number;

  constructor(schema: avro.Schema, options?: object) {
    super(schema, options);
    this.#scale = (schema as unknown as { readonly scale: number }).scale;
  }

  override _fromValue(bytes: Buffer): number {
    return Number(BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`))) / 10 ** this.#scale;
  }
}

class Time extends avro.types.LogicalType {
  override _fromValue(millis: number): string {
    return new Date(millis).toISOString().slice(0, 19).replace('T', ' ');
  }
}

/** Values without their order, which partitions do not keep. */
export function valuesOf(records: readonly JsonRecord[]): ReadonlySet<unknown> {
  return new Set(records.map(({ value }) => value));
}
