import {
  type ConfigIssue,
  ConnectorError,
  configDef,
  isConnectorError,
  type ParsedConfig,
  type RawConfig,
} from '@levada/connect-runtime-core';
import type { BackoffPolicy } from '@levada/connect-runtime-core/platform';
import { type SslValues, sslProblems } from '@levada/connect-runtime-core/source-kit';
import { retryPolicy } from '../model/retrying.ts';
import { type BrokerAddress, brokerAddress } from '../wire/link-options.ts';
import { clientKeyRows } from './client-keys.ts';
import { type SaslLogin, saslProblems, saslSettings } from './sasl-settings.ts';

export interface FetchSettings {
  readonly maxWaitMs: number;
  readonly maxBytes: number;
  readonly maxPartitionBytes: number;
}

/** The checked configuration of one client. Files have not been read yet. */
export interface ClientConfig {
  readonly brokers: readonly BrokerAddress[];
  /** Empty if not configured. */
  readonly clientId: string;
  /** Undefined without TLS. */
  readonly tls: SslValues | undefined;
  /** Undefined without authentication. */
  readonly sasl: SaslLogin | undefined;
  readonly requestTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly apiTimeoutMs: number;
  readonly retry: BackoffPolicy;
  readonly fetch: FetchSettings;
}

export type ClientValues = ParsedConfig<typeof clientKeyRows>;

const definition = configDef(clientKeyRows);

/** Parses Kafka's client keys. Other keys are ignored. Throws one `config_invalid` error with every problem and without secrets. */
export function parseClientConfig(raw: RawConfig): ClientConfig {
  const issues = clientConfigIssues(raw);
  if (issues.length > 0) throw invalidConfig(issues);
  return settingsOf(definition.parse(raw));
}

/** Every problem of the client keys. */
export function clientConfigIssues(raw: RawConfig): readonly ConfigIssue[] {
  return [...rowIssues(raw), ...tlsProblems(raw), ...saslProblems(raw)];
}

/** One error for all issues. */
export function invalidConfig(issues: readonly ConfigIssue[]): ConnectorError {
  return new ConnectorError('config_invalid', issues.map(({ message }) => message).join('\n'), { issues });
}

/** Problems of combinations of `ssl.*` keys; none if the security protocol does not use TLS. */
function tlsProblems(raw: RawConfig): readonly ConfigIssue[] {
  return usesTls(raw['security.protocol']) ? sslProblems((key) => (raw[key] ?? '') !== '') : [];
}

function usesTls(protocol: string | null | undefined): boolean {
  return /^(sasl_)?ssl$/i.test(protocol?.trim() ?? '');
}

function rowIssues(raw: RawConfig): readonly ConfigIssue[] {
  try {
    definition.parse(raw);
    return [];
  } catch (thrown) {
    if (isConnectorError(thrown)) return thrown.issues;
    throw thrown;
  }
}

function settingsOf(values: ClientValues): ClientConfig {
  return {
    brokers: values['bootstrap.servers'].map(brokerAddress).filter((address) => address !== undefined),
    clientId: values['client.id'],
    tls: usesTls(values['security.protocol']) ? values : undefined,
    sasl: saslSettings(values),
    requestTimeoutMs: values['request.timeout.ms'],
    connectTimeoutMs: values['socket.connection.setup.timeout.ms'],
    apiTimeoutMs: values['default.api.timeout.ms'],
    retry: retryPolicy(values['retry.backoff.ms'], values['retry.backoff.max.ms']),
    fetch: {
      maxWaitMs: values['fetch.max.wait.ms'],
      maxBytes: values['fetch.max.bytes'],
      maxPartitionBytes: values['max.partition.fetch.bytes'],
    },
  };
}
