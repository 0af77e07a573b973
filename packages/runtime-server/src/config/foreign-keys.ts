/** Why a key that Kafka Connect knows does nothing here. */
const meaningless: Readonly<Record<string, string>> = {
  'metric.reporters': 'metrics are served at /metrics',
  'metrics.sample.window.ms': 'metrics are served at /metrics',
  'metrics.num.samples': 'metrics are served at /metrics',
  'metrics.recording.level': 'metrics are served at /metrics',
  'auto.include.jmx.reporter': 'there is no JMX',
  'plugin.discovery': 'plugins are found by their package.json',
  'security.providers': 'it concerns the JVM',
  'internal.key.converter': 'removed in Kafka Connect 3.0',
  'internal.value.converter': 'removed in Kafka Connect 3.0',
  'rest.host.name': 'removed in Kafka Connect 3.0, use listeners',
  'rest.port': 'removed in Kafka Connect 3.0, use listeners',
  'rest.advertised.listener': 'the advertised address is the first listener or rest.advertised.host.name',
  'offset.storage.file.filename': 'offsets are kept in the log',
  'worker.sync.timeout.ms': 'a worker that has not caught up with the config topic reads it to its end',
  'worker.unsync.backoff.ms': 'a worker that has not caught up with the config topic reads it to its end',
  'inter.worker.key.generation.algorithm': 'keys are for HmacSHA256',
  'inter.worker.key.size': 'keys have 32 bytes',
  'inter.worker.signature.algorithm': 'requests are signed with HmacSHA256',
  'inter.worker.verification.algorithms': 'only HmacSHA256 is accepted',
};
const meaninglessPrefixes: readonly (readonly [prefix: string, reason: string])[] = [
  ['log4j.', 'log levels are set by log.level and /admin/loggers'],
  ['metrics.context.', 'metrics are served at /metrics'],
  ['cub.', 'it belongs to a container image'],
  ['listeners.https.', 'https is not supported; put a proxy that ends TLS in front of the worker'],
  ['admin.listeners.https.', 'https is not supported; put a proxy that ends TLS in front of the worker'],
];

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

/** Keys that would change who may do what, so ignoring them would be dangerous. */
const refused: Readonly<Record<string, string>> = {
  'rest.extension.classes':
    'REST extensions are not supported; put a proxy that authenticates in front of the worker',
};

/** Classification of a key that is not in the worker's own table. */
export type ForeignKey =
  | { readonly kind: 'client' }
  | { readonly kind: 'meaningless'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown' };

/** Sorts a key that is not in the worker's own table. */
export function foreignKey(name: string): ForeignKey {
  if (Object.hasOwn(refused, name)) return { kind: 'refused', reason: refused[name] as string };
  if (Object.hasOwn(meaningless, name)) return { kind: 'meaningless', reason: meaningless[name] as string };
  const prefix = meaninglessPrefixes.find(([start]) => name.startsWith(start));
  if (prefix !== undefined) return { kind: 'meaningless', reason: prefix[1] };
  const client = clientKeys.has(name) || clientPrefixes.some((start) => name.startsWith(start));
  return client ? { kind: 'client' } : { kind: 'unknown' };
}

/** Names for suggestions: every key that means something to Kafka Connect. */
export const foreignKeyNames: readonly string[] = [...clientKeys, ...Object.keys(meaningless)];
