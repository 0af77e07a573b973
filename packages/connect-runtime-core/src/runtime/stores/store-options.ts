import type { CompactedRecord } from '../../platform/log-platform.ts';

/** What every store is made with. */
export interface StoreOptions {
  /** Names the store's connection towards the log, for example `<group.id>-configs`. */
  readonly clientId: string;
  /** A record that does not belong in the topic. It is passed over, and the rest is read. */
  readonly onSkipped: (record: CompactedRecord) => void;
}
