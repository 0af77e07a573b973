import { type ConfigIssue, ConnectorError, isConnectorError } from '@levada/connect-runtime-core';
import {
  builtInConverters,
  type ClientOverridePolicy,
  type ConverterChoice,
  converterIssues,
} from '@levada/connect-runtime-core/runtime';
import { type ListenerAddress, parseListener } from './listener-address.ts';
import { parseResponseHeaders, type StaticHeader } from './response-headers.ts';

const policies: readonly ClientOverridePolicy[] = ['None', 'Principal', 'Allowlist', 'All'];

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

  converters({ key, value, header }: Readonly<Record<'key' | 'value' | 'header', ConverterChoice>>): void {
    const choices = { 'key.converter': key, 'value.converter': value, 'header.converter': header };
    this.#issues.push(...converterIssues(choices, builtInConverters));
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
