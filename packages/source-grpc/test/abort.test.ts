import { waitFor } from '@levada/connect-runtime-core/testing';
import { describeAbort } from '@levada/test-peers/abort';
import { eventBytes, testDescriptor } from '@levada/test-peers/grpc';
import { grpcJs } from '../src/grpc-js/index.ts';
import { grpcSource } from '../src/index.ts';
import { serve } from './feed.ts';

const transports = [
  ['grpcSource', undefined],
  ['grpcSource over grpc-js', grpcJs()],
] as const;

for (const [factory, transport] of transports) {
  const openAt = (port: number, signal: AbortSignal) =>
    grpcSource({
      host: '127.0.0.1',
      port,
      service: 'teststream.TestStreamService',
      method: 'StreamEvents',
      descriptor: testDescriptor(),
      topic: 'events',
      signal,
      transport,
    });

  describeAbort({
    factory,
    openAt,
    leavesUnanswered: transport !== undefined,
    open: async (signal) => {
      let calls = 0;
      const server = await serve((call) => {
        calls += 1;
        call.send();
      });
      const source = openAt(server.port, signal);
      return {
        source,
        send: async () => {
          (await server.call(0)).send(eventBytes({ payload: 'one' }));
          await waitFor(() => source.status()['MessagesReceived'] === 1);
        },
        connections: () => calls,
      };
    },
  });
}
