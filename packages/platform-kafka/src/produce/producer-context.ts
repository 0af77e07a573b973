import type { Clock } from '@levada/connect-runtime-core';
import type { ProducerSettings } from '../client/producer-settings.ts';
import type { KafkaEventLog } from '../model/kafka-events.ts';

/** Shared by all parts of a producer. */
export interface ProducerContext {
  readonly settings: ProducerSettings;
  readonly clock: Clock;
  readonly log: KafkaEventLog;
  /** Numbers from 0 to 1. */
  readonly random: () => number;
  /** Null: records are not part of transactions. */
  readonly transactionalId: string | null;
  /** False: no request may be sent at the moment. */
  readonly mayProduce: () => boolean;
  /** A broker asked to wait for so long. */
  readonly onThrottled: (ms: number) => void;
  /** Aborts when the producer frees its connections. */
  readonly signal: AbortSignal;
}
