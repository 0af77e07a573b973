import { configDef, type Schema, type SourceRecord } from '@levada/connect-runtime-core';
import type { SchemaField, SchemaType } from '@levada/connect-runtime-core/contract';
import { configFailure, dataFailure } from '../data/failures.ts';
import {
  basicsOf,
  cacheBySchema,
  fieldsOf,
  plainSchema,
  structSchema,
  temporalSchemas,
} from '../data/schemas.ts';
import { fieldValue, requireMap, requireStruct, StructBuilder } from '../data/structs.ts';
import { ofKeyAndValue } from './part.ts';
import { replaceNullRow } from './rows.ts';

const PURPOSE = 'field insertion';

const ending = 'The suffix ! makes the field required, ? makes it optional. Default: optional.';

const row = <const Name extends string>(name: Name, documentation: string) =>
  ({ name, type: 'string', default: null, importance: 'medium', documentation }) as const;

const config = configDef([
  row('topic.field', `Name of a field for the topic. ${ending}`),
  row('partition.field', `Name of a field for the partition. ${ending}`),
  row('offset.field', `Name of a field for the offset, which only records of sinks have. ${ending}`),
  row('timestamp.field', `Name of a field for the timestamp of the record. ${ending}`),
  row('static.field', `Name of a field for a fixed text. ${ending}`),
  row('static.value', 'The text of static.field.'),
  replaceNullRow,
]);

/** A field to add. */
interface Insertion {
  readonly field: string;
  readonly schema: Schema;
  /** The field's value; null adds nothing. */
  readonly value: (record: SourceRecord, hasSchema: boolean) => unknown;
}

/** Adds fields with metadata of the record, or with a fixed text. */
export const insertField = ofKeyAndValue('InsertField', {
  config,
  create: (values) => {
    const fixed = values['static.value'];
    const text = values['static.field'];
    const insertions = [
      insertion(values['topic.field'], 'string', ({ topic }) => topic),
      insertion(values['partition.field'], 'int32', ({ partition }) => partition),
      insertion(values['offset.field'], 'int64', () => {
        throw dataFailure(
          `Only SinkRecord supported for [${PURPOSE}], found: org.apache.kafka.connect.source.SourceRecord`,
        );
      }),
      insertion(values['timestamp.field'], 'Timestamp', ({ timestamp }, hasSchema) =>
        timestamp !== null && hasSchema ? new Date(timestamp) : timestamp,
      ),
      insertion(text, 'string', () => fixed),
    ].filter((one) => one !== undefined);
    if (insertions.length === 0) throw configFailure('static.field', 'No field insertion configured');
    if (text !== null && fixed === null) {
      throw configFailure(
        'static.value',
        `Invalid value null for configuration static.value: No value specified for static field: ${text}`,
      );
    }
    const schemaOf = cacheBySchema((schema) =>
      structSchema([...fieldsOf(schema), ...insertions.map(asField)], basicsOf(schema)),
    );
    const withDefault = values['replace.null.with.default'];
    return (part, record) => {
      const { schema, value } = part;
      if (value === null || value === undefined) return part;
      if (schema === null) {
        const updated = new Map(requireMap(value, PURPOSE));
        insert(insertions, record, { hasSchema: false, put: (name, one) => updated.set(name, one) });
        return { schema, value: updated };
      }
      const struct = requireStruct(schema, value, PURPOSE);
      const updated = schemaOf(schema);
      const built = new StructBuilder(updated);
      for (const field of fieldsOf(schema)) built.put(field.field, fieldValue(struct, field, withDefault));
      insert(insertions, record, { hasSchema: true, put: (name, one) => built.put(name, one) });
      return { schema: updated, value: built.values };
    };
  },
});

interface Target {
  readonly hasSchema: boolean;
  readonly put: (name: string, value: unknown) => void;
}

function insert(insertions: readonly Insertion[], record: SourceRecord, { hasSchema, put }: Target): void {
  for (const { field, value } of insertions) {
    const inserted = value(record, hasSchema);
    if (inserted !== null) put(field, inserted);
  }
}

function insertion(
  spec: string | null,
  type: SchemaType | 'Timestamp',
  value: Insertion['value'],
): Insertion | undefined {
  if (spec === null) return undefined;
  const marked = spec.endsWith('?') || spec.endsWith('!');
  const optional = !spec.endsWith('!');
  const schema =
    type === 'Timestamp' ? temporalSchemas.Timestamp[optional ? 1 : 0] : plainSchema(type, optional);
  return { field: marked ? spec.slice(0, -1) : spec, schema, value };
}

function asField({ field, schema }: Insertion): SchemaField {
  return { field, schema };
}
