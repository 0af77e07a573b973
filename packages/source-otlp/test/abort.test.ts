import { describeAbort } from '@levada/test-peers/abort';
import { postExport, spanNamed } from '@levada/test-peers/otlp';
import { otlpSource } from '../src/index.ts';

describeAbort({
  factory: 'otlpSource',
  open: async (signal) => {
    const source = otlpSource({ address: '127.0.0.1', grpcPort: 0, httpPort: 0, signal });
    const port = (): number => Number(source.status()['HttpPort']);
    return {
      source,
      send: () => postExport(port(), 'traces', spanNamed('one')),
      connections: port,
    };
  },
  openAt: undefined,
});
