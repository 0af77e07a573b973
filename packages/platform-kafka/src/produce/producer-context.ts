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
  /** Null without transactions. */
  readonly transactionalId: string | null;
  /** Whether requests may be sent now. */
  readonly mayProduce: () => boolean;
  /** Called when a broker throttles, with the milliseconds to wait. */
  readonly onThrottled: (ms: number) => void;
  /** Aborts when the producer closes its connections. */
  readonly signal: AbortSignal;
}
