// For authors of converters: the contract, and how values are written as Kafka Connect writes them.
export type { BackoffPolicy } from '../time/backoff.ts';
export { backoffDelay } from '../time/backoff.ts';
export { base64 } from './base64.ts';
export { conversionFailed, entriesOf, kindOf } from './conversion-failed.ts';
export type {
  Converter,
  ConverterPlugin,
  ConverterPreparation,
  PreparationContext,
  ValueToConvert,
} from './converter.ts';
export { converterTypeKey, withConverterType } from './converter-config.ts';
export { jsonText, jsonTextBytes } from './json-text.ts';
