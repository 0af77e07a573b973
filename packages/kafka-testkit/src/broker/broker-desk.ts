import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Broker, type BrokerOptions, type ProxyPorts, startBroker } from './broker.ts';
import type { ListenerName } from './broker-settings.ts';
import type { Certificates } from './certificates.ts';
import { type SchemaRegistry, startSchemaRegistry } from './schema-registry.ts';

/** Options of brokers that test files share: those that have a text. */
export type SharedBrokerOptions = Omit<BrokerOptions, 'folder' | 'proxies'>;

/** A shared broker, as it is sent to test files. */
export interface SharedBrokerAnswer {
  readonly version: Broker['version'];
  readonly folder: string;
  readonly certificates?: Certificates;
  readonly proxies: readonly ProxyPorts[];
  /** `host:port` of each listener. */
  readonly endpoints: Readonly<Partial<Record<ListenerName, string>>>;
}

/** Starts the brokers and the schema registry that the test files of a run share. */
export interface BrokerDesk {
  /** Answers `GET /?<options as JSON>` with a {@link SharedBrokerAnswer}, and `GET /schema-registry` with the URL of the registry. */
  readonly url: string;
  close(): Promise<void>;
}

/** Each worker of the test runner has a proxy of its own. */
const PROXIES = 4;
const secured = ['SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const;

/**
 * Opens a desk on loopback. The first request for a broker with some options starts it; later requests with the same options get the
 * same broker. All of them have TLS and SASL, so that one is enough for tests with and without.
 */
export async function openBrokerDesk(): Promise<BrokerDesk> {
  const brokers = new Map<string, Promise<Broker>>();
  const brokerWith = (options: string): Promise<Broker> => {
    const known = brokers.get(options);
    if (known !== undefined) return known;
    const given = JSON.parse(options) as SharedBrokerOptions;
    const started = startBroker({ tls: true, sasl: true, ...given, proxies: PROXIES });
    brokers.set(options, started);
    return started;
  };
  let registry: Promise<SchemaRegistry> | undefined;
  const server = createServer((request, response) => {
    if (request.url === '/schema-registry') {
      registry ??= startSchemaRegistry();
      registry.then(
        ({ url }) => response.end(url),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
      return;
    }
    const options = decodeURIComponent(request.url?.slice('/?'.length) ?? '');
    brokerWith(options).then(
      (broker) => response.end(JSON.stringify(answerOf(broker))),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  // The first start on a machine fetches the jars.
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.close();
      const started = await Promise.allSettled(brokers.values());
      const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      await Promise.all(running.map((broker) => broker.stop()));
      await registry?.then((started) => started.stop()).catch(() => undefined);
    },
  };
}

function answerOf(broker: Broker): SharedBrokerAnswer {
  const { version, folder, certificates, proxies } = broker;
  const names: readonly ListenerName[] = ['PLAINTEXT', ...secured];
  const endpoints = Object.fromEntries(names.map((name) => [name, broker.endpoint(name)]));
  return { version, folder, proxies, endpoints, ...(certificates === undefined ? {} : { certificates }) };
}
