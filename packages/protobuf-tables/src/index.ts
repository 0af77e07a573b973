export { ConversionError } from './to-json/conversion-error.ts';
export type { WireToJson, WireToJsonOptions } from './to-json/wire-to-json.ts';
export { wireToJson } from './to-json/wire-to-json.ts';
