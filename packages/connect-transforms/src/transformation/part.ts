import type { ConfigDef, ConfigKey, ParsedConfig, Schema, SourceRecord } from '@levada/connect-runtime-core';
import type { RecordHeader, TransformationPlugin } from '@levada/connect-runtime-core/contract';

/** Package of Kafka Connect's transformations. */
export const javaPackage = 'org.apache.kafka.connect.transforms';

/** The key or the value of a record. */
export interface Part {
  readonly schema: Schema | null;
  readonly value: unknown;
  /** Replaces the headers of the record. */
  readonly headers?: readonly RecordHeader[];
}

/** Transforms one part of a record. Returns the same part if nothing changes. */
export type PartTransformation = (part: Part, record: SourceRecord) => Part;

interface PartPlugin<Rows extends readonly ConfigKey[]> {
  readonly config: ConfigDef<Rows>;
  readonly create: (values: ParsedConfig<Rows>) => PartTransformation;
}

/** The two classes of a transformation for keys and values: `<name>$Key` and `<name>$Value`. */
export function ofKeyAndValue<const Rows extends readonly ConfigKey[]>(
  name: string,
  { config, create }: PartPlugin<Rows>,
): readonly TransformationPlugin[] {
  const plugin = (
    suffix: string,
    make: (transform: PartTransformation) => (record: SourceRecord) => SourceRecord,
  ): TransformationPlugin => ({
    className: `${javaPackage}.${name}$${suffix}`,
    config,
    create: (raw) => ({ apply: make(create(config.parse(raw))) }),
  });
  return [plugin('Key', onKey), plugin('Value', onValue)];
}

function onKey(transform: PartTransformation): (record: SourceRecord) => SourceRecord {
  return (record) => {
    const part = { schema: record.keySchema, value: record.key };
    const { schema, value, headers = record.headers } = transform(part, record);
    return { ...record, keySchema: schema, key: value, headers };
  };
}

function onValue(transform: PartTransformation): (record: SourceRecord) => SourceRecord {
  return (record) => {
    const part = { schema: record.valueSchema, value: record.value };
    const { schema, value, headers = record.headers } = transform(part, record);
    return { ...record, valueSchema: schema, value, headers };
  };
}
