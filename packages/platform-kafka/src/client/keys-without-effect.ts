/** Keys of Kafka's own clients that have no effect here. They are logged once. */
export const keysWithoutEffect: ReadonlySet<string> = new Set([
  'auto.include.jmx.reporter',
  'bootstrap.controllers',
  'client.dns.lookup',
  'client.rack',
  'connections.max.idle.ms',
  'enable.metrics.push',
  'interceptor.classes',
  'metadata.max.age.ms',
  'metadata.recovery.strategy',
  'partitioner.class',
  'receive.buffer.bytes',
  'reconnect.backoff.max.ms',
  'reconnect.backoff.ms',
  'retries',
  'sasl.client.callback.handler.class',
  'sasl.kerberos.kinit.cmd',
  'sasl.kerberos.min.time.before.relogin',
  'sasl.kerberos.service.name',
  'sasl.kerberos.ticket.renew.jitter',
  'sasl.kerberos.ticket.renew.window.factor',
  'sasl.login.callback.handler.class',
  'sasl.login.class',
  'sasl.login.connect.timeout.ms',
  'sasl.login.read.timeout.ms',
  'sasl.login.refresh.buffer.seconds',
  'sasl.login.refresh.min.period.seconds',
  'sasl.login.refresh.window.factor',
  'sasl.login.refresh.window.jitter',
  'sasl.login.retry.backoff.max.ms',
  'sasl.login.retry.backoff.ms',
  'sasl.oauthbearer.jwks.endpoint.url',
  'sasl.oauthbearer.token.endpoint.url',
  'security.providers',
  'send.buffer.bytes',
  'socket.connection.setup.timeout.max.ms',
  'ssl.cipher.suites',
  'ssl.engine.factory.class',
  'ssl.keymanager.algorithm',
  'ssl.protocol',
  'ssl.provider',
  'ssl.secure.random.implementation',
  'ssl.trustmanager.algorithm',
]);

/** Values that equal our behaviour: no warning is needed. */
const agreed: ReadonlyMap<string, RegExp> = new Map([
  ['auto.offset.reset', /^earliest$/],
  ['client.dns.lookup', /^use_all_dns_ips$/],
  ['enable.auto.commit', /^false$/i],
  ['isolation.level', /^read_(un)?committed$/],
  ['retries', /^2147483647$/],
  ['sasl.login.callback.handler.class', /^(null)?$/],
  ['ssl.protocol', /^TLS(v1\.[23])?$/],
]);

/** Whether the value of a key equals our behaviour. */
export function isBuiltInBehaviour(key: string, value: string | null): boolean {
  return value === null || value.trim() === '' || (agreed.get(key)?.test(value.trim()) ?? false);
}
