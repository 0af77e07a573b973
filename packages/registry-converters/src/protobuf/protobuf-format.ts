import type { Schema } from '@levada/connect-runtime-core';
import { conversionFailed } from '@levada/connect-runtime-core/converter';
import { ByteSink } from '../model/byte-sink.ts';
import type { FormatSchema, SchemaFormat } from '../model/format.ts';
import { orDefault } from '../model/values.ts';
import { protoText } from './proto-message.ts';
import type { ProtoOptions } from './proto-options.ts';
import { protoFile } from './proto-schema.ts';
import { writeStruct, writeWrapped } from './proto-writer.ts';
import { logicalKind, scalars, wrapperIndex, wrapperName, wrappersText } from './well-known.ts';

/** Protobuf as Confluent's converter writes it. */
export function protobufFormat(options: ProtoOptions): SchemaFormat {
  const sink = new ByteSink();
  return {
    name: 'PROTOBUF',
    accepts: [...(Object.keys(scalars) as (keyof typeof scalars)[]), 'struct'],
    isNull: (_schema, value) => value === null || value === undefined,
    describe: (schema) => {
      if (schema === null) throw conversionFailed('ProtobufConverter needs a schema, the value has none');
      return schema.type === 'struct' ? ofStruct(schema, options, sink) : ofScalar(schema, sink);
    },
  };
}

function ofStruct(schema: Schema, options: ProtoOptions, sink: ByteSink): FormatSchema {
  const file = protoFile(schema, options);
  const { message } = file;
  return {
    text: protoText(file),
    recordName: file.package === undefined ? message.name : `${file.package}.${message.name}`,
    prefix: messageIndexes(0, sink),
    write: (value) => {
      sink.clear();
      writeStruct(sink, { message, schema }, value, { options, path: [] });
      return sink.copy();
    },
    as: refuseOther,
  };
}

/** Wraps a single scalar into one of Google's wrapper messages. */
function ofScalar(schema: Schema, sink: ByteSink): FormatSchema {
  const { type } = schema;
  if (type === 'array' || type === 'map' || type === 'struct')
    throw conversionFailed(`Protobuf has no message for a value of type ${type}; put it into a struct`);
  if (logicalKind(schema.name) !== undefined)
    throw conversionFailed(`Protobuf has no message for a value of ${schema.name}; put it into a struct`);
  const kind = scalars[type];
  const rule = { ignoreDefaultForNullables: false };
  return {
    text: wrappersText(),
    recordName: wrapperName(kind),
    prefix: messageIndexes(wrapperIndex(kind), sink),
    write: (value) => {
      sink.clear();
      writeWrapped(sink, { scalar: kind, schema }, orDefault(schema, value, rule), []);
      return sink.copy();
    },
    as: refuseOther,
  };
}

/** The path to a top-level message: the count of indexes, then the index. A single zero stands for the first message. */
function messageIndexes(index: number, sink: ByteSink): Uint8Array {
  if (index === 0) return Uint8Array.of(0);
  sink.clear();
  sink.zigzag(1);
  sink.zigzag(index);
  return sink.copy();
}

function refuseOther(): never {
  throw conversionFailed(
    'the latest version of the subject is another schema; with Protobuf only the schema of the records can be written',
  );
}
