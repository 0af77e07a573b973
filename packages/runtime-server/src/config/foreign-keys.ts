import { isRestTlsKey, type TlsPrefix } from './rest-tls.ts';

/** Why a key that Kafka Connect knows does nothing here. */
const meaningless: Readonly<Record<string, string>> = {
  'metric.reporters': 'metrics are served at /metrics',
  'metrics.recording.level': 'metrics are served at /metrics',
  'auto.include.jmx.reporter': 'there is no JMX',
  'plugin.discovery': 'plugins are found by their package.json',
  'security.providers': 'it concerns the JVM',
  'internal.key.converter': 'removed in Kafka Connect 3.0',
  'internal.value.converter': 'removed in Kafka Connect 3.0',
  'rest.host.name': 'removed in Kafka Connect 3.0, use listeners',
  'rest.port': 'removed in Kafka Connect 3.0, use listeners',
  'offset.storage.file.filename': 'offsets are kept in the log',
};
const meaninglessPrefixes: readonly (readonly [prefix: string, reason: string])[] = [
  ['log4j.', 'log levels are set by log.level and /admin/loggers'],
  ['metrics.context.', 'metrics are served at /metrics'],
  ['cub.', 'it belongs to a container image'],
];

/** Their keys are checked by the table of TLS, because any name can follow. */
export const tlsPrefixes: readonly TlsPrefix[] = ['listeners.https.', 'admin.listeners.https.'];
const otherTls = "TLS of REST has Node's own defaults for it";

/** Keys of the Kafka clients, which the Kafka platform reads and judges. */
const clientKeys = new Set([
  'client.id',
  'client.dns.lookup',
  'request.timeout.ms',
  'connections.max.idle.ms',
  'metadata.max.age.ms',
  'retry.backoff.ms',
  'retry.backoff.max.ms',
  'reconnect.backoff.ms',
  'reconnect.backoff.max.ms',
  'socket.connection.setup.timeout.ms',
  'socket.connection.setup.timeout.max.ms',
  'send.buffer.bytes',
  'receive.buffer.bytes',
  'security.protocol',
  'sasl.mechanism',
  'sasl.jaas.config',
  'metadata.recovery.strategy',
  'metadata.recovery.rebootstrap.trigger.ms',
]);
const clientPrefixes = ['ssl.', 'sasl.', 'producer.', 'consumer.', 'admin.'];

/** Classification of a key that is not in the worker's own table. */
export type ForeignKey =
  | { readonly kind: 'client' }
  | { readonly kind: 'meaningless'; readonly reason: string }
  | { readonly kind: 'unknown' };

/** Sorts a key that is not in the worker's own table. */
export function foreignKey(name: string): ForeignKey {
  if (Object.hasOwn(meaningless, name)) return { kind: 'meaningless', reason: meaningless[name] as string };
  const tlsKey = tlsPrefixes
    .map((start) => (name.startsWith(start) ? name.slice(start.length) : ''))
    .join('');
  if (isRestTlsKey(tlsKey)) return { kind: 'client' };
  if (tlsKey !== '') {
    return tlsKey.startsWith('ssl.') ? { kind: 'meaningless', reason: otherTls } : { kind: 'unknown' };
  }
  const prefix = meaninglessPrefixes.find(([start]) => name.startsWith(start));
  if (prefix !== undefined) return { kind: 'meaningless', reason: prefix[1] };
  const client = clientKeys.has(name) || clientPrefixes.some((start) => name.startsWith(start));
  return client ? { kind: 'client' } : { kind: 'unknown' };
}

/** Names for suggestions: every key that means something to Kafka Connect. */
export const foreignKeyNames: readonly string[] = [...clientKeys, ...Object.keys(meaningless)];
