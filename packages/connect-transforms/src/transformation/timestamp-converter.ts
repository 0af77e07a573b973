import { ConnectorError, configDef, type Schema } from '@levada/connect-runtime-core';
import { oneOf } from '@levada/connect-runtime-core/config';
import { logicalTypes } from '@levada/connect-runtime-core/contract';
import { withDefault } from '../data/check-value.ts';
import { configFailure, dataFailure } from '../data/failures.ts';
import { javaClass, typeOfValue } from '../data/java-class.ts';
import {
  basicsOf,
  cacheBySchema,
  fieldsOf,
  hasDefault,
  plainSchema,
  schemaText,
  structSchema,
  temporalSchemas,
} from '../data/schemas.ts';
import { fieldValue, requireMap, requireStruct, StructBuilder } from '../data/structs.ts';
import { dateFormat } from '../time/date-format.ts';
import { ofKeyAndValue } from './part.ts';
import { replaceNullRow } from './rows.ts';
import { fromDate, type TimeForm, type TimestampKind, toDate } from './time-forms.ts';

const PURPOSE = 'converting timestamp formats';

const config = configDef([
  {
    name: 'field',
    type: 'string',
    default: '',
    importance: 'high',
    documentation: 'Name of the field with the timestamp. Empty: the whole key or value is the timestamp.',
  },
  {
    name: 'target.type',
    type: 'string',
    importance: 'high',
    documentation: 'Form of the new timestamp: string, unix, Date, Time or Timestamp.',
    validator: oneOf('string', 'unix', 'Date', 'Time', 'Timestamp'),
  },
  {
    name: 'format',
    type: 'string',
    default: '',
    importance: 'medium',
    documentation: "Pattern of Java's SimpleDateFormat, in UTC and English, for timestamps as strings.",
  },
  {
    name: 'unix.precision',
    type: 'string',
    default: 'milliseconds',
    importance: 'low',
    documentation:
      'Unit of timestamps as numbers: seconds, milliseconds, microseconds or nanoseconds. Fractions of a millisecond are lost.',
    validator: oneOf('nanoseconds', 'microseconds', 'milliseconds', 'seconds'),
  },
  replaceNullRow,
]);

/** Converts timestamps between strings, numbers and Connect's dates and times. */
export const timestampConverter = ofKeyAndValue('TimestampConverter', {
  config,
  create: (values) => {
    const form: TimeForm = {
      target: values['target.type'] as TimestampKind,
      format: formatOf(values['target.type'], values.format),
      precision: values['unix.precision'] as TimeForm['precision'],
    };
    const { field } = values;
    const defaults = values['replace.null.with.default'];
    const convert = (
      value: unknown,
      kind: (value: unknown) => TimestampKind,
      schema: Schema | null,
    ): unknown =>
      value === null || value === undefined
        ? null
        : fromDate(form, toDate(form, kind(value), { schema, value }));

    const convertStruct = (schema: Schema, value: unknown, updated: Schema): ReadonlyMap<string, unknown> => {
      const struct = requireStruct(schema, value, PURPOSE);
      const built = new StructBuilder(updated);
      for (const own of fieldsOf(schema)) {
        const given = fieldValue(struct, own, defaults);
        if (own.field !== field) built.put(own.field, given);
        else {
          const kind = kindOfSchema(own.schema);
          built.put(
            field,
            convert(given, () => kind, own.schema),
          );
        }
      }
      return built.values;
    };
    const schemaOf = cacheBySchema((schema) => {
      const fields = fieldsOf(schema).map((own) =>
        own.field === field ? { field, schema: targetSchema(form.target, own.schema.optional) } : own,
      );
      const updated = structSchema(fields, { ...basicsOf(schema), optional: schema.optional });
      return hasDefault(schema)
        ? withDefault(updated, convertStruct(schema, schema.default, updated))
        : updated;
    });

    return ({ schema, value }) => {
      const absent = value === null || value === undefined;
      if (schema === null) {
        if (absent || field === '') return { schema, value: convert(value, kindOfValue, null) };
        const updated = new Map(requireMap(value, PURPOSE));
        updated.set(field, convert(updated.get(field), kindOfValue, null));
        return { schema, value: updated };
      }
      if (field === '') {
        const kind = kindOfSchema(schema);
        return {
          schema: targetSchema(form.target, schema.optional),
          value: convert(value, () => kind, schema),
        };
      }
      if (!absent) requireStruct(schema, value, PURPOSE);
      const updated = schemaOf(schema);
      return { schema: updated, value: absent ? null : convertStruct(schema, value, updated) };
    };
  },
});

function formatOf(target: string, pattern: string): TimeForm['format'] {
  if (pattern.trim() !== '') {
    try {
      return dateFormat(pattern);
    } catch (thrown) {
      throw configFailure(
        'format',
        `TimestampConverter requires a SimpleDateFormat-compatible pattern for string timestamps: ${pattern}: ${ConnectorError.from(thrown).message}`,
      );
    }
  }
  if (target !== 'string') return undefined;
  throw configFailure(
    'format',
    'TimestampConverter requires format option to be specified when using string timestamps',
  );
}

function targetSchema(target: TimestampKind, optional: boolean): Schema {
  if (target === 'string' || target === 'unix')
    return plainSchema(target === 'string' ? 'string' : 'int64', optional);
  return temporalSchemas[target][optional ? 1 : 0];
}

function kindOfSchema(schema: Schema): TimestampKind {
  if (schema.name === logicalTypes.timestamp) return 'Timestamp';
  if (schema.name === logicalTypes.date) return 'Date';
  if (schema.name === logicalTypes.time) return 'Time';
  if (schema.type === 'string') return 'string';
  if (schema.type === 'int64') return 'unix';
  throw dataFailure(`Schema ${schemaText(schema)} does not correspond to a known timestamp type format`);
}

function kindOfValue(value: unknown): TimestampKind {
  if (value instanceof Date) return 'Timestamp';
  const type = typeOfValue(value);
  if (type === 'int64') return 'unix';
  if (type === 'string') return 'string';
  throw dataFailure(
    `TimestampConverter does not support class ${javaClass(null, value)} objects as timestamps`,
  );
}
