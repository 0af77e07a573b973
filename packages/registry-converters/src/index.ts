// For hosts of a worker: the converters to add to the built-in ones, and their keys.
export { converterKeyTables, registryConverters } from './registry-converters.ts';
