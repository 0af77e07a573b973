import {
  type Clock,
  type ConfigIssue,
  ConnectorError,
  isConnectorError,
  type Logger,
  type RawConfig,
  silentLogger,
  systemClock,
} from '@levada/connect-runtime-core';
import {
  boolean,
  clockOption,
  configuration,
  filledString,
  loggerOption,
  type OptionCheck,
  type OptionChecks,
  optionError,
  optionIssues,
  optionsOf,
  required,
  shownValueThat,
  string,
  valueThat,
} from '@levada/connect-runtime-core/config';
import type { ServiceLogger } from '@levada/connect-runtime-core/library';
import { type LogPlatform, serviceLogger } from '@levada/connect-runtime-core/platform';
import { clientConfigIssues } from './client/client-config.ts';
import { saslMechanisms } from './client/client-keys.ts';
import { openKafkaPlatform } from './kafka-platform.ts';

/** How to reach brokers, in every option object of this package. */
export interface KafkaConnectionOptions {
  /**
   * Brokers to ask for the others, as `host:port`. Each is tried in turn.
   *
   * @example `bootstrap: 'localhost:9092'` · `bootstrap: ['kafka-1:9093', 'kafka-2:9093']`
   */
  readonly bootstrap: string | readonly string[];
  /** Identifies the service in logs and quotas of the brokers. Default `levada`. */
  readonly clientId?: string | undefined;
  /**
   * TLS. True: the brokers' certificates are checked against the authorities that Node knows. Default false.
   *
   * @example `tls: { ca: readFileSync('ca.pem', 'utf8') }`
   */
  readonly tls?: boolean | KafkaTlsOptions | undefined;
  /** Authenticates with a user and a password. Default: none. */
  readonly sasl?: KafkaSaslOptions | undefined;
  /**
   * Keys of Kafka's clients, with Kafka's names, for what has no option here; they take precedence. See the README for those that have an
   * effect.
   *
   * @example `config: { 'request.timeout.ms': '10000' }`
   */
  readonly config?: Readonly<Record<string, string>> | undefined;
  /** A logger as in a source. Default: that of the run or source. */
  readonly logger?: ServiceLogger | undefined;
  /** Default: that of the run or source. */
  readonly clock?: Clock | undefined;
}

/** TLS for connections to brokers. All texts are PEM, not file names. */
export interface KafkaTlsOptions {
  /** Trusted certificates. Default: the authorities that Node trusts. */
  readonly ca?: string | undefined;
  /** The client's certificate and its chain, if brokers require one. */
  readonly cert?: string | undefined;
  /** The client's key. */
  readonly key?: string | undefined;
  /** Password of the key, if it is encrypted. */
  readonly passphrase?: string | undefined;
  /** Whether the certificate must match the host. Default true. */
  readonly checkHostname?: boolean | undefined;
}

/** User and password. */
export interface KafkaSaslOptions {
  readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
  readonly username: string;
  readonly password: string;
}

/** The option that each Kafka client key is derived from, for errors. */
const optionOfKey: Readonly<Record<string, string>> = {
  'bootstrap.servers': 'bootstrap',
  'client.id': 'clientId',
  'security.protocol': 'tls',
  'ssl.truststore.certificates': 'tls.ca',
  'ssl.keystore.certificate.chain': 'tls.cert',
  'ssl.keystore.key': 'tls.key',
  'ssl.key.password': 'tls.passphrase',
  'sasl.mechanism': 'sasl.mechanism',
  'sasl.jaas.config': 'sasl',
  'compression.type': 'compression',
  'linger.ms': 'lingerMs',
  'batch.size': 'batchBytes',
  'max.request.size': 'maxRequestBytes',
  'delivery.timeout.ms': 'deliveryTimeoutMs',
};

const certificates = valueThat('PEM text with a certificate, not the name of a file', (value) =>
  isPem(value, 'CERTIFICATE'),
);

const tlsChecks: OptionChecks<KafkaTlsOptions> = {
  ca: certificates,
  cert: certificates,
  key: valueThat('PEM text with a private key, not the name of a file', (value) =>
    isPem(value, 'PRIVATE KEY'),
  ),
  passphrase: string,
  checkHostname: boolean,
};

const saslChecks: OptionChecks<KafkaSaslOptions> = {
  mechanism: required(
    shownValueThat(
      `one of ${saslMechanisms.join(', ')}`,
      (value) => typeof value === 'string' && saslMechanisms.some((mechanism) => mechanism === value),
    ),
  ),
  username: required(filledString),
  password: required(filledString),
};

/** Names of our options in other Kafka clients. */
const otherNames = { ssl: 'tls', brokers: 'bootstrap' };

/** Checks of the options that all factories have. */
export const connectionChecks: OptionChecks<KafkaConnectionOptions> = {
  bootstrap: required(
    valueThat(
      'a string or a list of strings',
      (value) =>
        typeof value === 'string' ||
        (Array.isArray(value) && value.every((address) => typeof address === 'string')),
    ),
  ),
  clientId: string,
  tls: optionsOf(tlsChecks, {
    wanted: 'a boolean or an object',
    orElse: (value) => typeof value === 'boolean',
  }),
  sasl: optionsOf(saslChecks),
  config: configuration,
  logger: loggerOption,
  clock: clockOption,
};

/**
 * Throws one `config_invalid` error with every problem: unknown, missing or mistyped options, and problems of Kafka keys that are
 * derived from options. `more` are problems of the caller's other keys.
 */
export function checkKafkaOptions<Options extends KafkaConnectionOptions>(
  checks: Readonly<Record<string, OptionCheck>>,
  options: Options,
  more: (sound: Options) => readonly ConfigIssue[] = () => [],
): void {
  const issues = [...optionIssues(checks, options, { otherNames }), ...pairIssues(options)];
  const wrong = new Set(issues.map(({ key }) => topOf(key)));
  const sound = Object.fromEntries(Object.entries(options).filter(([name]) => !wrong.has(name))) as Options;
  const ofKeys = [...clientConfigIssues(rawOf(sound)), ...more(sound)]
    .map((issue) => ofOption(issue, sound))
    // A key that is derived from an invalid option is missing now
    .filter(({ key }) => !wrong.has(topOf(key)));
  if (issues.length + ofKeys.length > 0) throw optionError([...issues, ...ofKeys]);
}

function pairIssues({ tls, config }: KafkaConnectionOptions): readonly ConfigIssue[] {
  // Half of a pair may be among the keys
  const inConfig = Object.keys(config ?? {}).some((key) => key.includes('ssl.key'));
  if (typeof tls !== 'object' || tls === null || inConfig) return [];
  const needs = (one: keyof KafkaTlsOptions, other: keyof KafkaTlsOptions): readonly ConfigIssue[] =>
    tls[one] === undefined || tls[other] !== undefined
      ? []
      : [{ key: `tls.${other}`, message: `tls.${other} is required with tls.${one}` }];
  return [...needs('cert', 'key'), ...needs('key', 'cert'), ...needs('passphrase', 'key')];
}

function topOf(name: string): string {
  return name.split(/[.[]/, 1)[0] ?? name;
}

function isPem(value: unknown, what: string): boolean {
  return typeof value === 'string' && new RegExp(`-----BEGIN [A-Z0-9 ]*${what}-----`).test(value);
}

/** Opens a platform from options. Rejects with `config_invalid`, naming the options. */
export async function openFromOptions(
  options: KafkaConnectionOptions,
  context: { readonly logger: Logger; readonly clock: Clock } = { logger: silentLogger, clock: systemClock },
): Promise<LogPlatform> {
  const { clock = context.clock } = options;
  const logger = options.logger === undefined ? context.logger : serviceLogger(options.logger);
  return await byOption(options, () => openKafkaPlatform({ config: rawOf(options), logger, clock }));
}

/** Runs the work. If it rejects with `config_invalid`, the error names options instead of keys. */
export async function byOption<T>(options: KafkaConnectionOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!isConnectorError(thrown) || thrown.code !== 'config_invalid') throw thrown;
    const issues = thrown.issues.map((issue) => ofOption(issue, options));
    const message = issues.length === 0 ? thrown.message : issues.map((issue) => issue.message).join('\n');
    throw new ConnectorError('config_invalid', message, { issues, cause: thrown });
  }
}

/** Converts a problem of a key to one of its option. */
function ofOption(issue: ConfigIssue, { config = {} }: KafkaConnectionOptions): ConfigIssue {
  const key = issue.key.replace(/^(producer|consumer|admin)\./, '');
  const option = Object.hasOwn(config, issue.key) ? `config["${issue.key}"]` : (optionOfKey[key] ?? key);
  const what = issue.message.replace(/^Invalid value (.*) for configuration [\w.]+: /s, 'got $1: ');
  return { ...issue, key: option, message: `${option}: ${what}` };
}

function rawOf({ bootstrap, clientId = 'levada', tls, sasl, config }: KafkaConnectionOptions): RawConfig {
  const servers: unknown = bootstrap;
  const list = Array.isArray(servers) ? servers.join(',') : servers;
  return {
    'bootstrap.servers': typeof list === 'string' ? list : '',
    'client.id': clientId,
    'security.protocol': protocolOf(tls, sasl),
    ...(typeof tls === 'object' ? tlsKeys(tls) : {}),
    ...(sasl === undefined ? {} : saslKeys(sasl)),
    ...config,
  };
}

function protocolOf(tls: KafkaConnectionOptions['tls'], sasl: KafkaConnectionOptions['sasl']): string {
  const hasTls = tls !== undefined && tls !== false;
  if (sasl === undefined) return hasTls ? 'SSL' : 'PLAINTEXT';
  return hasTls ? 'SASL_SSL' : 'SASL_PLAINTEXT';
}

function tlsKeys({ ca, cert, key, passphrase, checkHostname }: KafkaTlsOptions): Record<string, string> {
  const keys = {
    ...(ca === undefined ? {} : { 'ssl.truststore.type': 'PEM', 'ssl.truststore.certificates': ca }),
    ...(cert === undefined && key === undefined ? {} : { 'ssl.keystore.type': 'PEM' }),
    'ssl.keystore.certificate.chain': cert,
    'ssl.keystore.key': key,
    'ssl.key.password': passphrase,
    ...(checkHostname === false ? { 'ssl.endpoint.identification.algorithm': '' } : {}),
  };
  return Object.fromEntries(
    Object.entries(keys).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function saslKeys({ mechanism, username, password }: KafkaSaslOptions): Record<string, string> {
  const kind = mechanism === 'PLAIN' ? 'plain.Plain' : 'scram.Scram';
  const login = `username=${quote(username)} password=${quote(password)}`;
  return {
    'sasl.mechanism': mechanism,
    'sasl.jaas.config': `org.apache.kafka.common.security.${kind}LoginModule required ${login};`,
  };
}

/** JAAS quoting: a backslash before quotes and backslashes. */
function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
