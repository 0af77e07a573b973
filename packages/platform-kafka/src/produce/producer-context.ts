import type { Clock, EventLog } from '@levada/connect-runtime-core';
import type { producerEvents } from './producer-events.ts';
import type { ProducerSettings } from './producer-settings.ts';

/** What all parts of a producer share. */
export interface ProducerContext {
  readonly settings: ProducerSettings;
  readonly clock: Clock;
  readonly log: EventLog<typeof producerEvents>;
  /** Numbers from 0 to 1. */
  readonly random: () => number;
  /** False: no request may be sent at the moment. */
  readonly mayProduce: () => boolean;
  /** Aborts when the producer frees its connections. */
  readonly signal: AbortSignal;
}
