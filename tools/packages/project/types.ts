import { grpcSource } from '@levada/source-grpc';
import { otlpSource } from '@levada/source-otlp';
import { websocketSource } from '@levada/source-websocket';
import { compile, type Diagnostic } from '@levada/stream-project-compiler';
import { loadProjectFolder } from '@levada/stream-project-compiler/node';

await using source = websocketSource({ url: 'wss://feed.example/prices', topic: 'prices' });
source.on('reconnecting', (event) => {
  const attempt: number = event.attempt;
  process.stdout.write(`attempt ${attempt}\n`);
});
for await (const record of source) {
  const topic: string = record.topic;
  process.stdout.write(`${topic}\n`);
}

// @ts-expect-error the url is required
websocketSource({ topic: 'prices' });
// @ts-expect-error not an option
websocketSource({ url: 'wss://feed.example', topic: 'prices', queSize: 1 });

await using events = grpcSource({
  host: 'feed.example',
  port: 443,
  tls: true,
  service: 'events.v1.Events',
  method: 'Watch',
  request: { symbols: ['ABC'] },
  metadata: { authorization: 'Bearer token' },
  overflow: 'drop_newest',
  topic: 'events',
});
events.on('session', (event) => {
  const sessionId: string = event.sessionId;
  process.stdout.write(`session ${sessionId}\n`);
});
for await (const record of events) {
  const topic: string = record.topic;
  process.stdout.write(`${topic}\n`);
}
process.stdout.write(`${events.health().status}\n`);
grpcSource.fromConfig({ 'grpc.server.host': 'feed.example', 'grpc.server.port': '443' });

// @ts-expect-error the host is required
grpcSource({ port: 443, service: 's', method: 'm', topic: 't' });
// @ts-expect-error a port is a number
grpcSource({ host: 'h', port: '443', service: 's', method: 'm', topic: 't' });

await using telemetry = otlpSource({ address: '127.0.0.1', grpcPort: 0, httpPort: 0, ackMode: 'produced' });
telemetry.on('dropped', (event) => {
  const count: number = event.count;
  process.stdout.write(`${count} dropped\n`);
});
await using withDefaults = otlpSource();
process.stdout.write(`${withDefaults.health().status}\n`);

// @ts-expect-error a port is a number
otlpSource({ grpcPort: '4317' });
// @ts-expect-error not an option
otlpSource({ portOfGrpc: 4317 });

const compilation = compile(await loadProjectFolder('shop'), { today: '2026-11-21' });
const found: readonly Diagnostic[] = compilation.diagnostics;
process.stdout.write(`${found.length} ${compilation.manifest?.order.length}\n`);
// @ts-expect-error not an option
compile(await loadProjectFolder('shop'), { todai: '2026-11-21' });
