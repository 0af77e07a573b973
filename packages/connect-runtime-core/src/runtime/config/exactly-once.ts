import type { RawConfig } from '../../config/config-key.ts';
import { textOf } from '../port/raw-config.ts';

/** A connector's `offsets.storage.topic`; undefined for the worker's. */
export function offsetsTopicOf(config: RawConfig): string | undefined {
  const topic = textOf(config, 'offsets.storage.topic')?.trim();
  return topic === '' ? undefined : topic;
}
