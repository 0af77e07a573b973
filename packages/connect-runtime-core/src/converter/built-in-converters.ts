import { configDef } from '../config/config-def.ts';
import { byteArrayConverter } from './byte-array-converter.ts';
import { conversionFailed, kindOf, requireType } from './conversion-failed.ts';
import type { ConverterPlugin } from './converter.ts';
import { converterTypeKey } from './converter-config.ts';
import { fixedConverter } from './fixed-converter.ts';
import { jsonConverter } from './json-converter.ts';
import { numberConverters } from './number-converters.ts';
import { simpleHeaderConverter } from './simple-header-converter.ts';
import { stringConverter } from './string-converter.ts';

/** True as the byte 1, false as the byte 0. */
const booleanConverter = fixedConverter('org.apache.kafka.connect.converters.BooleanConverter', {
  config: configDef([converterTypeKey]),
  accepts: ['boolean'],
  fromConnectData: (_topic, schema, value) => {
    requireType(schema, 'boolean', 'BooleanConverter');
    if (value === null || value === undefined) return null;
    if (typeof value === 'boolean') return Uint8Array.of(value ? 1 : 0);
    throw conversionFailed(`BooleanConverter is not compatible with objects of type ${kindOf(value)}`);
  },
});

/** The converters that Kafka Connect ships, under its class names. */
export const builtInConverters: readonly ConverterPlugin[] = [
  stringConverter,
  jsonConverter,
  byteArrayConverter,
  booleanConverter,
  ...numberConverters,
  simpleHeaderConverter,
];
