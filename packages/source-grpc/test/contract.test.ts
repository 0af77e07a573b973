import type { SourceRecord } from '@levada/connect-runtime-core';
import { type ContractPeer, describeSourceTask } from '@levada/connect-runtime-core/testing';
import { eventBytes, type StreamServer, startStreamServer } from '@levada/test-peers/grpc';
import { describe, it } from 'vitest';
import { grpcSourceConnector } from '../src/connector.ts';
import { testConfig } from './running-task.ts';

/** A server that can go away and come back on the same port. */
interface Peer extends ContractPeer {
  readonly server: StreamServer;
}

async function startPeer(): Promise<Peer> {
  const server = await startStreamServer();
  return {
    server,
    send: (texts) => {
      for (const call of server.open()) call.send(...texts.map((payload) => eventBytes({ payload })));
    },
    connections: () => server.open().length,
    drop: async () => {
      server.kill();
      await server.listen();
    },
    goAway: () => server.kill(),
    comeBack: () => server.listen(),
    close: () => server.close(),
  };
}

const payloadOf = (record: SourceRecord): string => {
  const text =
    typeof record.value === 'string' ? record.value : Buffer.from(record.value as Uint8Array).toString();
  return (JSON.parse(text) as { readonly payload: string }).payload;
};

describeSourceTask(
  {
    name: 'GrpcSourceConnector',
    connector: grpcSourceConnector,
    peer: startPeer,
    config: (peer, overrides) =>
      testConfig((peer as Peer).server.port, {
        'grpc.metadata': 'authorization: Bearer canary-token, x-api-key: canary-key',
        'grpc.metadata.x-secret': 'canary-entry',
        ...overrides,
      }),
    badLocalInputs: [
      {
        name: 'a certificate without its key',
        overrides: { 'grpc.tls.enabled': 'true', 'grpc.tls.client.cert': '/nowhere/cert.pem' },
        code: 'config_invalid',
      },
      {
        name: 'an authority file that is not there',
        overrides: { 'grpc.tls.enabled': 'true', 'grpc.tls.ca.cert': '/nowhere/ca.pem' },
        code: 'file_unreadable',
      },
      {
        name: 'a descriptor that is not there',
        overrides: { 'grpc.proto.descriptor': '/nowhere/set.binpb' },
        code: 'file_unreadable',
      },
      {
        name: 'a service that the descriptor does not have',
        overrides: { 'grpc.service.name': 'teststream.Nothing' },
        code: 'config_invalid',
      },
      {
        name: 'a method that is not server-streaming',
        overrides: { 'grpc.method.name': 'GetEvent' },
        code: 'config_invalid',
      },
    ],
    queueOf: (messages) => ({
      'grpc.message.queue.size': String(messages),
      'grpc.queue.full.grace.ms': '0',
    }),
    reconnect: {
      withPolicy: ({ intervalMs, maxMs }) => ({
        'grpc.reconnect.interval.ms': String(intervalMs),
        'grpc.reconnect.backoff.max.ms': String(maxMs),
      }),
      never: { 'grpc.reconnect.enabled': 'false' },
    },
    textOf: payloadOf,
    offsetOf: (_, record) => ({
      partition: {
        grpc_server: record.sourcePartition?.['grpc_server'] ?? null,
        grpc_method: 'teststream.TestStreamService/StreamEvents',
      },
      offset: {
        sessionId: record.sourceOffset?.['sessionId'] ?? null,
        sequence: record.sourceOffset?.['sequence'] ?? null,
      },
    }),
    patienceMs: 10_000,
    secrets: ['canary-token', 'canary-key', 'canary-entry'],
  },
  { describe, it },
);
