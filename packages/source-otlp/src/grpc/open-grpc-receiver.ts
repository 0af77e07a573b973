import { createServer, type Server } from 'node:net';
import type { Inflater } from '../receiver/inflate.ts';
import type { Receiver, ReceiverOptions } from '../receiver/receiver.ts';
import { GrpcReceiver } from './grpc-receiver.ts';
import { methodsOf } from './methods.ts';

/** What the gRPC receiver works with. */
export interface GrpcReceiverOptions extends ReceiverOptions {
  /** Shared with the HTTP receiver, so that it bounds both. */
  readonly inflater: Inflater;
}

/** Listens for OTLP over gRPC. Rejects with the system's error when the address cannot be bound, and leaves nothing open then. */
export async function openGrpcReceiver(options: GrpcReceiverOptions): Promise<Receiver> {
  const server = createServer();
  await listening(server, options);
  return new GrpcReceiver(server, {
    clock: options.clock,
    inflater: options.inflater,
    target: options,
    methods: methodsOf(options.signals),
  });
}

function listening(server: Server, { address, port }: ReceiverOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
