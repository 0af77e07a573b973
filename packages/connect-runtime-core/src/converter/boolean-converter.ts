import { configDef } from '../config/config-def.ts';
import { conversionFailed, kindOf } from './conversion-failed.ts';
import type { Converter, ConverterPlugin } from './converter.ts';
import { converterTypeKey, withConverterType } from './converter-config.ts';

const config = configDef([converterTypeKey]);

/** True as the byte 1, false as the byte 0. */
export const booleanConverter: ConverterPlugin = {
  className: 'org.apache.kafka.connect.converters.BooleanConverter',
  config,
  create: (raw, isKey) => {
    config.parse(withConverterType(raw, isKey));
    return converter;
  },
};

const converter: Converter = {
  fromConnectData: (_topic, schema, value) => {
    if (schema !== null && schema.type !== 'boolean') {
      throw conversionFailed(`Invalid schema type for BooleanConverter: ${schema.type.toUpperCase()}`);
    }
    if (value === null || value === undefined) return null;
    if (typeof value === 'boolean') return Uint8Array.of(value ? 1 : 0);
    throw conversionFailed(`BooleanConverter is not compatible with objects of type ${kindOf(value)}`);
  },
};
