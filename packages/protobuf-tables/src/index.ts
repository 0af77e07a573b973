export { ConversionError } from './conversion-error.ts';
export type { WireToJson, WireToJsonOptions } from './wire-to-json.ts';
export { wireToJson } from './wire-to-json.ts';
