// Receiving exports over gRPC alone: the receiver of this package, the same on grpc-js, and bare node:http2, in interleaved runs.
// `npm run bench -- otlp-grpc-transport [seconds of a run] [runs]`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

interface Figures {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

const receivers = ['own', 'grpc-js', 'node:http2'] as const;
const bodies = [
  { name: '23 KB', bytes: 23_000, encoding: 'identity' },
  { name: '250 B', bytes: 250, encoding: 'identity' },
  { name: '23 KB, gzip', bytes: 23_000, encoding: 'gzip' },
] as const;
const CONNECTIONS = 4;
const IN_FLIGHT = 16;
const seconds = process.argv[2] ?? '2';
const runs = Number(process.argv[3] ?? 3);
const pinned = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

async function run(receiver: string, body: (typeof bodies)[number]): Promise<Figures> {
  const server = start('0', 'server.ts', [receiver, '1', seconds]);
  const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const port = String((await lines.next()).value);
  const { bytes, encoding } = body;
  const sender = start('1', 'sender.ts', [
    port,
    String(bytes),
    String(CONNECTIONS),
    String(IN_FLIGHT),
    encoding,
  ]);
  try {
    return JSON.parse(String((await lines.next()).value)) as Figures;
  } finally {
    for (const child of [sender, server]) {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    }
  }
}

function start(core: string, script: string, args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(`grpc-transport/${script}`, import.meta.url));
  const command = [process.execPath, file, ...args];
  const [program = '', ...rest] = pinned ? ['taskset', '-c', core, ...command] : command;
  return spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

console.log(pinned ? 'receiver on core 0, sender on core 1' : 'processes are not pinned to cores');
console.log(
  `${CONNECTIONS} connections with ${IN_FLIGHT} calls each, requests/s [CPU µs each], medians of ${runs} runs of ${seconds} s\n`,
);
for (const body of bodies) {
  // Bare node:http2 does not inflate.
  const compared = body.encoding === 'gzip' ? receivers.slice(0, 2) : receivers;
  const figures = new Map<string, Figures[]>(compared.map((receiver) => [receiver, []]));
  for (let round = 0; round < runs; round++) {
    for (const receiver of compared) figures.get(receiver)?.push(await run(receiver, body));
  }
  const rate = (receiver: string): number =>
    median((figures.get(receiver) ?? []).map(({ perSecond }) => perSecond));
  const cpu = (receiver: string): number =>
    median((figures.get(receiver) ?? []).map(({ cpuMicros }) => cpuMicros));
  const cells = compared.map((one) => `${one} ${rate(one).toFixed(0)} [${cpu(one).toFixed(1)}]`);
  const ratio = `own / grpc-js ${(rate('own') / rate('grpc-js')).toFixed(2)}`;
  const cpuRatio = `CPU ${(cpu('grpc-js') / cpu('own')).toFixed(2)}`;
  console.log(`${body.name}: ${cells.join(', ')}; ${ratio}, ${cpuRatio}`);
}
