import type { Certificates } from './certificates.ts';

/** The one user that may do everything, with every SASL mechanism. */
export const brokerUser = { username: 'levada', password: 'levada-secret' } as const;

/** A user that PLAIN knows and that an authorizer gives no rights. */
export const strangerUser = { username: 'stranger', password: 'stranger-secret' } as const;

/** SASL mechanisms of a broker that is started with `sasl`. */
export const saslMechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

/** The listeners that a broker may have; all are on 127.0.0.1. */
export type ListenerName = 'PLAINTEXT' | `PROXIED_${number}` | 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL';

/** One listener: where it listens, and which port it advertises (another one behind a proxy). */
export interface Listener {
  readonly name: ListenerName;
  readonly port: number;
  readonly advertisedPort: number;
}

/** Values for a broker's `server.properties`. */
export interface BrokerSettings {
  readonly dataFolder: string;
  readonly nodeId: number;
  /** Ports of the controllers of all nodes, by node id from 1 on. */
  readonly controllerPorts: readonly number[];
  readonly listeners: readonly Listener[];
  readonly certificates?: Certificates;
  readonly clientCertificateRequired: boolean;
  readonly authorizer: boolean;
  readonly autoCreateTopics: boolean;
  /** Further rows; they win. */
  readonly extra: Readonly<Record<string, string>>;
}

/** Small and quick to start: a broker for tests. */
const base: Readonly<Record<string, string>> = {
  'process.roles': 'broker,controller',
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'PLAINTEXT',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '3',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'transaction.state.log.num.partitions': '3',
  'share.coordinator.state.topic.replication.factor': '1',
  'share.coordinator.state.topic.min.isr': '1',
  'group.initial.rebalance.delay.ms': '0',
  'group.min.session.timeout.ms': '1000',
  'num.network.threads': '2',
  'num.io.threads': '4',
  'log.cleaner.threads': '1',
  'log.cleaner.dedupe.buffer.size': '4194304',
  'broker.heartbeat.interval.ms': '500',
  'broker.session.timeout.ms': '6000',
};

/** The text of `server.properties`. */
export function serverProperties(settings: BrokerSettings): string {
  const { listeners, nodeId, controllerPorts } = settings;
  const controllerPort = controllerPorts[nodeId - 1] ?? 0;
  const at = (name: string, port: number): string => `${name}://127.0.0.1:${port}`;
  const protocols = listeners.map(
    ({ name }) => `${name}:${name.startsWith('PROXIED_') ? 'PLAINTEXT' : name}`,
  );
  const rows: Record<string, string> = {
    ...base,
    'node.id': String(nodeId),
    'controller.quorum.voters': controllerPorts
      .map((port, node) => `${node + 1}@127.0.0.1:${port}`)
      .join(','),
    listeners: [...listeners.map(({ name, port }) => at(name, port)), at('CONTROLLER', controllerPort)].join(
      ',',
    ),
    'advertised.listeners': listeners.map((listener) => at(listener.name, listener.advertisedPort)).join(','),
    'listener.security.protocol.map': [...protocols, 'CONTROLLER:PLAINTEXT'].join(','),
    'log.dirs': settings.dataFolder,
    'auto.create.topics.enable': String(settings.autoCreateTopics),
    ...saslRows(listeners),
    ...tlsRows(settings),
    ...(settings.authorizer ? authorizerRows : {}),
    ...settings.extra,
  };
  return Object.entries(rows)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

const authorizerRows = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': `User:ANONYMOUS;User:${brokerUser.username}`,
};

function tlsRows({ certificates, clientCertificateRequired }: BrokerSettings): Record<string, string> {
  if (certificates === undefined) return {};
  return {
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': certificates.brokerKeyStore,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': certificates.authority,
    'ssl.client.auth': clientCertificateRequired ? 'required' : 'none',
  };
}

function saslRows(listeners: readonly Listener[]): Record<string, string> {
  const rows: Record<string, string> = {};
  for (const { name } of listeners) {
    if (!name.startsWith('SASL_')) continue;
    const prefix = `listener.name.${name.toLowerCase()}`;
    rows['sasl.enabled.mechanisms'] = saslMechanisms.join(',');
    rows[`${prefix}.plain.sasl.jaas.config`] = plainUsers();
    for (const mechanism of ['scram-sha-256', 'scram-sha-512']) {
      const module = 'org.apache.kafka.common.security.scram.ScramLoginModule';
      rows[`${prefix}.${mechanism}.sasl.jaas.config`] = `${module} required;`;
    }
  }
  return rows;
}

function plainUsers(): string {
  const users = [brokerUser, strangerUser].map((user) => `user_${user.username}="${user.password}"`);
  return `org.apache.kafka.common.security.plain.PlainLoginModule required ${users.join(' ')};`;
}
