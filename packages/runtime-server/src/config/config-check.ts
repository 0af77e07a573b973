import {
  type ConfigIssue,
  ConnectorError,
  isConnectorError,
  type RawConfig,
} from '@levada/connect-runtime-core';
import type { ConverterPlugin } from '@levada/connect-runtime-core/converter';
import {
  type ClientOverridePolicy,
  type ConverterChoice,
  converterIssues,
  LEAST_KEY_BITS,
} from '@levada/connect-worker';
import { type ListenerAddress, parseListener } from './listener-address.ts';
import { parseResponseHeaders, type StaticHeader } from './response-headers.ts';
import { type RestTls, readRestTls, type TlsPrefix, tlsPrefix } from './rest-tls.ts';

const policies: readonly ClientOverridePolicy[] = ['None', 'Principal', 'Allowlist', 'All'];

/** A longer key makes no signature safer, and every one of them costs more. */
const MOST_KEY_BITS = 65_536;

/** Collects problems, so that all of them are reported at once. */
export class ConfigCheck {
  readonly #issues: ConfigIssue[] = [];

  /** What `parse` returns; undefined when it throws problems, which are kept. */
  parse<V>(parse: () => V): V | undefined {
    try {
      return parse();
    } catch (error) {
      if (!isConnectorError(error) || error.issues.length === 0) throw error;
      this.#issues.push(...error.issues);
      return undefined;
    }
  }

  add(key: string, problem: string, value: string | null | undefined): void {
    this.#issues.push({
      key,
      message: `Invalid value ${value ?? 'null'} for configuration ${key}: ${problem}`,
    });
  }

  missing(key: string): void {
    this.#issues.push({
      key,
      message: `Missing required configuration "${key}" which has no default value.`,
    });
  }

  /** Each internal topic has records of its own form. */
  different(topics: Readonly<Record<string, string>>): void {
    for (const [purpose, name] of Object.entries(topics)) {
      const first = Object.entries(topics).find(([, other]) => other === name)?.[0];
      if (first !== purpose) this.add(`${purpose}.storage.topic`, `It is the ${first}.storage.topic`, name);
    }
  }

  /** A membership is confirmed until one heartbeat interval before a session or a rebalance can end: else it never would be. */
  heartbeat(millis: (key: string) => number): void {
    const interval = millis('heartbeat.interval.ms');
    const limit = ['session.timeout.ms', 'rebalance.timeout.ms'].find((key) => interval >= millis(key));
    if (limit === undefined) return;
    this.add('heartbeat.interval.ms', `Value must be less than ${limit}`, String(interval));
  }

  /** Workers of one configuration must accept each other's signatures, and be able to make a key. */
  signing(text: (key: string) => string): void {
    const signature = text('inter.worker.signature.algorithm');
    const accepted = text('inter.worker.verification.algorithms').split(',');
    if (signature !== '' && !accepted.includes(signature)) {
      const problem = 'Signature algorithm must be present in inter.worker.verification.algorithms list';
      this.add('inter.worker.signature.algorithm', problem, signature);
    }
    const bits = text('inter.worker.key.size');
    if (bits === '' || (Number(bits) >= LEAST_KEY_BITS && Number(bits) <= MOST_KEY_BITS)) return;
    const algorithm = text('inter.worker.key.generation.algorithm');
    const limit =
      Number(bits) < LEAST_KEY_BITS ? `at least ${LEAST_KEY_BITS} bits` : `at most ${MOST_KEY_BITS} bits`;
    this.#issues.push({
      key: 'inter.worker.key.size',
      message: `Unable to create key generator with algorithm ${algorithm} and key size ${bits}: Key length must be ${limit}`,
    });
  }

  converters(
    { key, value, header }: Readonly<Record<'key' | 'value' | 'header', ConverterChoice>>,
    installed: readonly ConverterPlugin[],
  ): void {
    const choices = { 'key.converter': key, 'value.converter': value, 'header.converter': header };
    this.#issues.push(...converterIssues(choices, installed));
  }

  listeners(key: string, list: string): readonly ListenerAddress[] {
    const texts = list === '' ? [] : list.split(',');
    return texts.flatMap((text, index) => {
      const listener = parseListener(text);
      if (texts.indexOf(text) < index && !text.endsWith(':0')) {
        this.add(key, 'The address is listed twice', text);
        return [];
      }
      if (!('problem' in listener)) return [listener];
      this.add(key, listener.problem, text);
      return [];
    });
  }

  /** TLS of `https` listeners; undefined when there are none. */
  tls(
    prefix: TlsPrefix,
    raw: RawConfig,
    listeners: 'same' | readonly ListenerAddress[],
  ): RestTls | undefined {
    if (listeners === 'same' || !listeners.some(({ scheme }) => scheme === 'https')) return undefined;
    try {
      return readRestTls(raw, prefix);
    } catch (error) {
      if (!isConnectorError(error)) throw error;
      const used = tlsPrefix(raw, prefix);
      const named = error.issues.map(({ key, message }) => ({
        key: used + key,
        message: message.replace(`configuration ${key}`, `configuration ${used}${key}`),
      }));
      this.#issues.push(...named);
      return undefined;
    }
  }

  /** Index of the first listener of a scheme; of the first one when the scheme is empty. */
  advertised(scheme: string, listeners: readonly ListenerAddress[]): number {
    if (scheme === '' || listeners.length === 0) return 0;
    const index = listeners.findIndex((listener) => listener.scheme === scheme.toLowerCase());
    if (index === -1) this.add('rest.advertised.listener', 'There is no such listener', scheme);
    return Math.max(0, index);
  }

  responseHeaders(text: string): readonly StaticHeader[] {
    try {
      return parseResponseHeaders(text);
    } catch (error) {
      this.add('response.http.headers.config', error instanceof Error ? error.message : String(error), text);
      return [];
    }
  }

  transactions(support: string, storage: 'embedded' | 'kafka'): void {
    if (storage === 'kafka' || support.toLowerCase() !== 'enabled') return;
    const key = 'exactly.once.source.support';
    this.add(
      key,
      'The embedded log has no transactions, bootstrap.servers must name a Kafka cluster',
      support,
    );
  }

  taskIsolation(isolation: string, storage: 'embedded' | 'kafka'): void {
    if (storage === 'kafka' || isolation !== 'thread') return;
    this.add(
      'task.isolation',
      'The embedded log has one writer, the thread of the worker; for tasks in threads bootstrap.servers must name a Kafka cluster',
      isolation,
    );
  }

  /** Short names, and Kafka's class names that end in `<name>ConnectorClientConfigOverridePolicy`. */
  overridePolicy(text: string): ClientOverridePolicy {
    const short = text.replace(/^.*\./, '').replace(/ConnectorClientConfigOverridePolicy$/, '');
    const policy = policies.find((name) => name.toLowerCase() === short.toLowerCase());
    if (policy !== undefined) return policy;
    this.add(
      'connector.client.config.override.policy',
      `String must be one of: ${policies.join(', ')}`,
      text,
    );
    return 'None';
  }

  /** Throws one `config_invalid` ConnectorError when there were problems. */
  end(): void {
    if (this.#issues.length === 0) return;
    const message = this.#issues.map((issue) => issue.message).join('\n');
    throw new ConnectorError('config_invalid', message, { issues: this.#issues });
  }
}
