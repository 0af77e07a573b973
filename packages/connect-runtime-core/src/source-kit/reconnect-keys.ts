import type { ConfigKey, UpdateMode } from '../config/config-key.ts';
import { atLeast } from '../config/validators.ts';
import type { ReconnectPolicy } from './supervise.ts';

/** Where sources differ in their reconnect keys. */
export interface ReconnectKeysOptions {
  /** What a change of `<p>.reconnect.backoff.max.ms` needs. Default `live`, as the interval and the attempts. */
  readonly backoffMaxUpdate?: UpdateMode;
}

/** The reconnect keys of a source, by prefix: `<p>.reconnect.enabled`, `.interval.ms`, `.max.attempts`, `.backoff.max.ms`. */
export function reconnectKeys<const P extends string>(prefix: P, options: ReconnectKeysOptions = {}) {
  return [
    {
      name: `${prefix}.reconnect.enabled`,
      type: 'boolean',
      default: true,
      importance: 'medium',
      group: 'Reconnect',
      documentation: 'Whether to reconnect after the connection ended. When false, the task fails then.',
      option: 'reconnect',
      example: 'false',
    },
    {
      name: `${prefix}.reconnect.interval.ms`,
      type: 'long',
      default: 5000,
      importance: 'medium',
      group: 'Reconnect',
      documentation:
        'Delay before the first reconnect attempt, in milliseconds. It doubles with each further attempt.',
      validator: atLeast(1),
      update: 'live',
      option: 'reconnect.intervalMs',
      example: '1000',
    },
    {
      name: `${prefix}.reconnect.max.attempts`,
      type: 'int',
      default: -1,
      importance: 'medium',
      group: 'Reconnect',
      documentation: 'Reconnect attempts in a row before the task fails; -1 for no limit, 0 for none.',
      validator: atLeast(-1),
      update: 'live',
      option: 'reconnect.maxAttempts',
      example: '10',
    },
    {
      name: `${prefix}.reconnect.backoff.max.ms`,
      type: 'long',
      default: 60000,
      importance: 'low',
      group: 'Reconnect',
      documentation: 'Upper bound of the delay between reconnect attempts, in milliseconds, jitter included.',
      validator: atLeast(1),
      update: options.backoffMaxUpdate ?? 'live',
      option: 'reconnect.backoffMaxMs',
      example: '30_000',
    },
  ] as const satisfies readonly ConfigKey[];
}

/** What a configuration says in the keys of {@link reconnectKeys}. */
export type ReconnectValues<P extends string> = Readonly<
  Record<`${P}.reconnect.enabled`, boolean> &
    Record<`${P}.reconnect.${'interval.ms' | 'max.attempts' | 'backoff.max.ms'}`, number>
>;

/** When and how often to connect again, by a configuration with {@link reconnectKeys}. */
export function reconnectPolicy<const P extends string>(
  prefix: P,
  config: ReconnectValues<P>,
): ReconnectPolicy {
  const values: Readonly<Record<string, unknown>> = config;
  return {
    enabled: values[`${prefix}.reconnect.enabled`] as boolean,
    intervalMs: values[`${prefix}.reconnect.interval.ms`] as number,
    maxMs: values[`${prefix}.reconnect.backoff.max.ms`] as number,
    maxAttempts: values[`${prefix}.reconnect.max.attempts`] as number,
  };
}
