import { waitFor } from '@levada/connect-runtime-core/testing';
import { describeAbort } from '@levada/test-peers/abort';
import { eventBytes, testDescriptor } from '@levada/test-peers/grpc';
import { type GrpcOptions, grpcSource } from '../src/index.ts';
import { serve } from './feed.ts';

const optionsFor = (port: number, signal: AbortSignal): GrpcOptions & { readonly signal: AbortSignal } => ({
  host: '127.0.0.1',
  port,
  service: 'teststream.TestStreamService',
  method: 'StreamEvents',
  descriptor: testDescriptor(),
  topic: 'events',
  signal,
});

describeAbort({
  factory: 'grpcSource',
  open: async (signal) => {
    let calls = 0;
    const server = await serve((call) => {
      calls += 1;
      call.send();
    });
    const source = grpcSource(optionsFor(server.port, signal));
    return {
      source,
      send: async () => {
        (await server.call(0)).send(eventBytes({ payload: 'one' }));
        await waitFor(() => source.status()['MessagesReceived'] === 1);
      },
      connections: () => calls,
    };
  },
  openAt: (port, signal) => grpcSource(optionsFor(port, signal)),
});
