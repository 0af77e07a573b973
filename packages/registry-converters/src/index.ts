// For hosts of a worker: the converters to put beside the built-in ones.
export { registryConverters } from './registry-converters.ts';
