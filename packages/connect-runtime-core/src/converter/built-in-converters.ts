import { booleanConverter } from './boolean-converter.ts';
import { byteArrayConverter } from './byte-array-converter.ts';
import type { ConverterPlugin } from './converter.ts';
import { jsonConverter } from './json-converter.ts';
import { numberConverters } from './number-converters.ts';
import { simpleHeaderConverter } from './simple-header-converter.ts';
import { stringConverter } from './string-converter.ts';

/** The converters that Kafka Connect ships, under its class names. */
export const builtInConverters: readonly ConverterPlugin[] = [
  stringConverter,
  jsonConverter,
  byteArrayConverter,
  booleanConverter,
  ...numberConverters,
  simpleHeaderConverter,
];
