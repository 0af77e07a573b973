import type { ConverterPlugin } from '@levada/connect-runtime-core/converter';
import { builtInConverters } from '@levada/connect-runtime-core/host';
import { registryConverters } from '@levada/registry-converters';

/** The converters that every worker has: those of Kafka Connect, and those that register schemas. */
export const workerConverters: readonly ConverterPlugin[] = [...builtInConverters, ...registryConverters];
