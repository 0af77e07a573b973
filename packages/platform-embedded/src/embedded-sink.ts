import type { Clock } from '@levada/connect-runtime-core';
import {
  boolean,
  checkOptions,
  clockOption,
  filledString,
  loggerOption,
  type OptionChecks,
  required,
  wholeNumberFrom,
} from '@levada/connect-runtime-core/config';
import type { ServiceLogger } from '@levada/connect-runtime-core/library';
import { serviceLogger } from '@levada/connect-runtime-core/platform';
import {
  type LogSinkOptions,
  logSinkChecks,
  type OpenedProducer,
  openedLogSink,
  type Sink,
  sinkHealthOf,
} from '@levada/connect-runtime-core/sinks';
import { type EmbeddedPlatformOptions, openEmbeddedPlatform } from './open-embedded-platform.ts';

export interface EmbeddedSinkOptions
  extends Omit<EmbeddedPlatformOptions, 'logger' | 'clock'>,
    LogSinkOptions {
  /** A logger as in a source. Default: that of the run. */
  readonly logger?: ServiceLogger | undefined;
  /** Default: that of the run. */
  readonly clock?: Clock | undefined;
}

const checks: OptionChecks<EmbeddedSinkOptions> = {
  ...logSinkChecks,
  folder: required(filledString),
  retentionMs: wholeNumberFrom(-1),
  retentionBytes: wholeNumberFrom(-1),
  autoCreateTopics: boolean,
  logger: loggerOption,
  clock: clockOption,
};

/**
 * A sink that writes to topics of the log in a folder. Each run opens and closes the log. A record is produced once it is on the
 * disk. Writing to a missing topic creates it, unless `autoCreateTopics` is false. To write from several runs at once, or to read
 * within the process, open the platform yourself and use `logSink`. Throws `config_invalid` with every problem of the options.
 *
 * @example
 * ```ts
 * const run = pipe(source, embeddedSink({ folder: './log', topic: 'prices' }));
 * ```
 */
export function embeddedSink(options: EmbeddedSinkOptions): Sink {
  // Callers without types may omit the options
  checkOptions(checks, options ?? {});
  const { keyConverter: _k, valueConverter: _v, headerConverter: _h, topic: _t, ...log } = options;
  return openedLogSink(async (context): Promise<OpenedProducer> => {
    const { clock = context.clock } = options;
    const logger = options.logger === undefined ? context.logger : serviceLogger(options.logger);
    const platform = await openEmbeddedPlatform({ ...log, logger, clock });
    const producer = await platform.producer({ clientId: context.source });
    return {
      send: (records) => producer.send(records),
      get pendingBytes() {
        return producer.pendingBytes;
      },
      flush: () => producer.flush(),
      health: () => sinkHealthOf(platform.health()),
      // Also closes the producer
      close: (closing) => platform.close(closing),
    };
  }, options);
}
