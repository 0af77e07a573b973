import { configDef } from '@levada/connect-runtime-core';
import { type ConverterPlugin, converterTypeKey } from '@levada/connect-runtime-core/converter';
import { avroFormat } from './avro/avro-format.ts';
import { avroKeys, jsonKeys, protobufKeys } from './config/format-keys.ts';
import { registryKeys } from './config/registry-keys.ts';
import { tlsKeys } from './config/tls-keys.ts';
import { jsonFormat } from './json/json-format.ts';
import { protobufFormat } from './protobuf/protobuf-format.ts';
import { registryConverter } from './registry-converter.ts';

const avro = configDef(avroKeys);
const json = configDef(jsonKeys);
const protobuf = configDef(protobufKeys);

/** Keys of the converters: the common ones, and those of each format. For documentation. */
export const converterKeyTables = {
  registry: [...registryKeys, ...tlsKeys].filter(({ name }) => name !== converterTypeKey.name),
  avro: avroKeys,
  json: jsonKeys,
  protobuf: protobufKeys,
} as const;

/** The converters that register schemas, under the class names of Kafka Connect configurations. */
export const registryConverters: readonly ConverterPlugin[] = [
  registryConverter('io.confluent.connect.avro.AvroConverter', avroKeys, (raw) => {
    const values = avro.parse(raw);
    return avroFormat({
      connectMetaData: values['connect.meta.data'],
      enums: values['enhanced.avro.schema.support'],
      scrubNames: values['scrub.invalid.names'],
      discardTypeDocDefault: values['discard.type.doc.default'],
      optionalMapKeys: values['allow.optional.map.keys'],
      ignoreDefaultForNullables: values['ignore.default.for.nullables'],
    });
  }),
  registryConverter('io.confluent.connect.json.JsonSchemaConverter', jsonKeys, (raw) => {
    const values = json.parse(raw);
    return jsonFormat({
      additionalProperties: values['object.additional.properties'],
      numericDecimals: values['decimal.format'].toUpperCase() === 'NUMERIC',
      ignoreDefaultForNullables: values['ignore.default.for.nullables'],
    });
  }),
  registryConverter('io.confluent.connect.protobuf.ProtobufConverter', protobufKeys, (raw) => {
    const values = protobuf.parse(raw);
    return protobufFormat({
      scrubNames: values['scrub.invalid.names'],
      optionalForNullables: values['optional.for.nullables'],
      wrapperForNullables: values['wrapper.for.nullables'],
      ignoreDefaultForNullables: values['ignore.default.for.nullables'],
    });
  }),
];
