import type { ConfigKey, ConfigOptions, RawConfig } from '../config/config-key.ts';
import type { SourceConnector } from '../contract/source-connector.ts';
import type { SourceEventName } from '../contract/source-event.ts';
import type { SourceTask } from '../contract/source-task.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import { askedOptions } from './asked-options.ts';
import { checkIsObject, configError, readOptions } from './config-issues.ts';
import { createSource, openSource, type SourceOptions } from './create-source.ts';
import type { SourceHandle } from './source-handle.ts';
import { speakingOfOptions } from './words-of-options.ts';

/** What a connector package exports for library use. */
export interface SourceFactory<
  Options extends object,
  M extends MetricTable = MetricTable,
  E extends SourceEventName = SourceEventName,
> {
  /**
   * A source from typed options: those of the connector's keys, and those of every source. Throws one `config_invalid`
   * ConnectorError that lists every problem, unknown options with the nearest known one.
   */
  (options: Options & SourceOptions): SourceHandle<unknown, M, E>;
  /** A source from the configuration that REST takes. Throws the same error. */
  fromConfig(rawConfig: RawConfig, options?: SourceOptions): SourceHandle<unknown, M, E>;
}

/**
 * The library face of a connector, from its descriptor alone:
 * `export const websocketSource = sourceFactory(webSocketSourceConnector);`. The type of its options follows from the rows of the
 * connector; annotate the constant, `SourceFactory<MyOptions>`, to give it one that is documented.
 */
export function sourceFactory<
  const Rows extends readonly ConfigKey[],
  M extends MetricTable,
  E extends SourceEventName,
  Options extends object = ConfigOptions<Rows>,
>(connector: SourceConnector<Rows, M, E>): SourceFactory<Options, M, E> {
  const fromOptions = (all: Options & SourceOptions): SourceHandle<unknown, M, E> => {
    // Callers without types may leave the options out.
    if (all !== undefined && all !== null) checkIsObject(connector, 'options', all);
    const { signal, logger, clock, name, offsets, environment, ...options } = all ?? {};
    const { fixed, resolve } = askedOptions(connector, options);
    const { raw, issues } = readOptions(connector, fixed);
    if (issues.length > 0) throw configError(issues);
    const asOptions = (task: SourceTask) => speakingOfOptions(task, connector.config);
    return openSource(
      connector,
      raw,
      { signal, logger, clock, name, offsets, environment },
      { resolve, asOptions },
    );
  };
  return Object.assign(fromOptions, {
    fromConfig: (rawConfig: RawConfig, options?: SourceOptions) =>
      createSource(connector, rawConfig, options),
  });
}
