import { Agent, request } from 'node:http';
import type { RawConfig } from '@levada/connect-runtime-core';
import { type ContractPeer, describeSourceTask } from '@levada/connect-runtime-core/testing';
import { freePorts } from '@levada/kafka-testkit';
import { spanName, spanNamed } from '@levada/test-peers/otlp';
import { describe, it } from 'vitest';
import { otlpSourceConnector } from '../src/connector.ts';

/** A client that keeps its connection. */
interface Client extends ContractPeer {
  readonly port: number;
}

async function startClient(): Promise<Client> {
  const [port = 0] = await freePorts(1);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen = new WeakSet<object>();
  let open = 0;
  const post = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          agent,
          port,
          host: '127.0.0.1',
          path: '/v1/traces',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
        },
        (response) => response.resume().on('end', resolve),
      );
      sent.on('socket', (socket) => {
        if (seen.has(socket)) return;
        seen.add(socket);
        open += 1;
        socket.once('close', () => {
          open -= 1;
        });
      });
      sent.on('error', reject).end(JSON.stringify(spanNamed(text)));
    });
  const drop = (): void => agent.destroy();
  return {
    port,
    send: async (texts) => {
      for (const text of texts) await post(text);
    },
    connections: () => open,
    drop,
    goAway: drop,
    comeBack: () => undefined,
    close: async () => drop(),
  };
}

const config = (peer: ContractPeer, overrides: RawConfig): RawConfig => ({
  'otlp.bind.address': '127.0.0.1',
  'otlp.grpc.enabled': 'false',
  'otlp.http.port': String((peer as Client).port),
  ...overrides,
});

describeSourceTask(
  {
    name: 'OpenTelemetrySourceConnector',
    connector: otlpSourceConnector,
    peer: startClient,
    config: (peer, overrides) =>
      Object.fromEntries(Object.entries(config(peer, overrides)).filter(([, value]) => value !== null)),
    badLocalInputs: [
      {
        name: 'both receivers off',
        overrides: { 'otlp.http.enabled': 'false' },
        code: 'config_invalid',
      },
      {
        name: 'a certificate that is not there',
        overrides: {
          'otlp.tls.enabled': 'true',
          'otlp.tls.cert.path': '/nowhere/cert.pem',
          'otlp.tls.key.path': '/nowhere/key.pem',
        },
        code: 'file_unreadable',
      },
      {
        name: 'a spool that cannot be made',
        overrides: { 'otlp.ack.mode': 'spool', 'otlp.spool.path': '/proc/nowhere' },
        code: 'file_unreadable',
      },
    ],
    counters: { received: 'TotalMessagesReceived', dropped: 'TotalMessagesDropped' },
    queueOf: (messages) => ({
      'otlp.message.queue.size': String(messages),
      'otlp.queue.full.grace.ms': '0',
    }),
    textOf: (record) => spanName(Buffer.from(record.value as Uint8Array).toString()) ?? '',
    offsetOf: (index, record) => ({
      partition: { connector_name: 'under-test', signal_type: 'TRACES' },
      offset: {
        session_id: record.sourceOffset?.['session_id'] ?? '',
        signal_type: 'TRACES',
        sequence: index + 1,
      },
    }),
  },
  { describe, it },
);
