import { configDef } from '../config/config-def.ts';
import { conversionFailed, kindOf } from './conversion-failed.ts';
import type { Converter, ConverterPlugin } from './converter.ts';
import { converterTypeKey, withConverterType } from './converter-config.ts';

const config = configDef([converterTypeKey]);

/** Bytes as they are, without a copy. Refuses everything that is not bytes, text of a string schema too, as Connect does. */
export const byteArrayConverter: ConverterPlugin = {
  className: 'org.apache.kafka.connect.converters.ByteArrayConverter',
  config,
  create: (raw, isKey) => {
    config.parse(withConverterType(raw, isKey));
    return converter;
  },
};

const converter: Converter = {
  fromConnectData: (_topic, schema, value) => {
    if (schema !== null && schema.type !== 'bytes') {
      throw conversionFailed(`Invalid schema type for ByteArrayConverter: ${schema.type.toUpperCase()}`);
    }
    if (value === null || value === undefined) return null;
    if (value instanceof Uint8Array) return value;
    throw conversionFailed(`ByteArrayConverter is not compatible with objects of type ${kindOf(value)}`);
  },
};
