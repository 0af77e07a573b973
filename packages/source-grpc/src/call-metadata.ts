import type { Secret, Validator } from '@levada/connect-runtime-core';
import type { MetadataEntry } from './transport/channel.ts';

/** `key:value,key:value`. */
export const metadataText: Validator = { allowed: 'key:value,key:value', check: () => undefined };

/** The value of one entry. */
export const metadataValue: Validator = { allowed: 'metadata value', check: () => undefined };

/** The entries of both forms; the named ones win. */
export function callMetadata(config: {
  readonly text: Secret | null;
  readonly named: ReadonlyMap<string, Secret>;
}): readonly MetadataEntry[] {
  return [...config.named].map(([name, value]) => [name.toLowerCase(), value.reveal()]);
}
