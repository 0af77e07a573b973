// Receives from the generator, in its own process. Arguments: port, seconds of warm-up, seconds of the run, and what receives:
// `grpc-js receive`, `own receive`, `grpc-js convert`, `own convert`, or `connector` with `discard`, `embedded` or the address
// of a broker, and `timed`, if times are taken, or `bufbuild`, if that is to convert. Prints one line of JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Counts, measure } from './usage.ts';

const [port, warmUp, seconds] = process.argv.slice(2, 5).map(Number) as [number, number, number];
const [client = '', work = '', mode = ''] = process.argv.slice(5);

const PATH = '/levada.bench.Feed/Watch';
let received = 0;
const counts: Counts = { messages: () => received, dropped: () => 0, latencies: [] };

await start();
await sleep(warmUp * 1000);
process.stdout.write(`${JSON.stringify(await measure(counts, seconds))}\n`, () => {
  // The generator ends with its connection; nothing of this process is waited for.
  process.exit();
});

/** Loads only what is measured: nothing else takes memory or time. */
async function start(): Promise<void> {
  if (client === 'connector') {
    if (mode === 'bufbuild') (await import('./use-bufbuild.ts')).useBufbuild();
    const { runConnector } = await import('./connector-run.ts');
    await runConnector({ port, target: work, timed: mode === 'timed', counts });
    return;
  }
  const connect =
    client === 'own'
      ? (await import('./own-client.ts')).ownClient
      : (await import('./grpc-js-client.ts')).grpcJsClient;
  await connect({ port, path: PATH, onMessage: await handler() });
}

async function handler(): Promise<(message: Uint8Array) => void> {
  if (work === 'receive') {
    return () => {
      received += 1;
    };
  }
  const { ownConverter, protobufjsConverter } = await import('./converters.ts');
  const { benchDescriptors } = await import('./descriptors.ts');
  const convert = client === 'own' ? ownConverter(benchDescriptors()) : protobufjsConverter();
  return (message) => {
    convert(message);
    received += 1;
  };
}
