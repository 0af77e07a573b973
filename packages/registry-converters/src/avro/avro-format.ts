import type { Schema } from '@levada/connect-runtime-core';
import { ByteSink } from '../model/byte-sink.ts';
import { type FormatSchema, noPrefix, type SchemaFormat } from '../model/format.ts';
import { bytes as bytesValue, decimal, integerBytes, isDecimal } from '../model/values.ts';
import type { AvroOptions } from './avro-options.ts';
import { avroSchema } from './avro-schema.ts';
import { type AvroType, avroText } from './avro-type.ts';
import { avroWriter } from './avro-writer.ts';
import { parseAvro } from './parse-avro.ts';
import { writeAnything } from './schemaless.ts';

/** Avro as Confluent's converter writes it. */
export function avroFormat(options: AvroOptions): SchemaFormat {
  const sink = new ByteSink();
  return {
    name: 'AVRO',
    accepts: undefined,
    // A null of a required schema is an error, which the conversion reports
    isNull: (schema, value) =>
      (value === null || value === undefined) && (schema === null || schema.optional),
    describe: (schema) => {
      const type = avroSchema(schema, options);
      return formatSchema(schema, type, { text: avroText(type), options, sink });
    },
  };
}

interface Parts {
  readonly text: string;
  readonly options: AvroOptions;
  readonly sink: ByteSink;
}

function formatSchema(schema: Schema | null, type: AvroType, parts: Parts): FormatSchema {
  const { text, options, sink } = parts;
  return {
    text,
    recordName: type.kind === 'record' ? type.name : undefined,
    prefix: noPrefix,
    write: bodyWriter(schema, type, options, sink),
    as: (other) => formatSchema(schema, parseAvro(other), { ...parts, text: other }),
  };
}

function bodyWriter(
  schema: Schema | null,
  type: AvroType,
  options: AvroOptions,
  sink: ByteSink,
): FormatSchema['write'] {
  if (schema === null) {
    return (value) => {
      sink.clear();
      writeAnything(sink, value);
      return sink.copy();
    };
  }
  const write = avroWriter(schema, type, options);
  // Confluent's serializer writes top-level bytes without their size
  if (type.kind === 'primitive' && type.type === 'bytes') {
    return isDecimal(schema)
      ? (value) => integerBytes(decimal(schema, value, []).unscaled)
      : (value) => bytesValue(value, []);
  }
  return (value) => {
    sink.clear();
    write(sink, value, []);
    return sink.copy();
  };
}
