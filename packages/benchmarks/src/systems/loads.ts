// The generators are those of the sources' own benchmarks: one for each protocol.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '../measure/program.ts';

/** A feed that sends by itself once a client has connected. */
export interface Feed {
  readonly port: number;
  readonly load: Program;
}

/** How much a feed sends. */
export interface FeedRate {
  /** Of a message. */
  readonly bytes: number;
  /** 0: as fast as it is taken. */
  readonly perSecond: number;
}

function inPackage(name: string, path: string): string {
  return fileURLToPath(new URL(path, import.meta.resolve(`${name}/package.json`)));
}

async function startFeed(file: string, args: readonly (string | number)[]): Promise<Feed> {
  const command = [process.execPath, file, ...args.map(String)];
  const load = startProgram({ name: `the generator ${file}`, core: 'others', command });
  return { port: Number(await load.line()), load };
}

/** A WebSocket server that sends text messages. */
export function startWebSocketFeed({ bytes, perSecond }: FeedRate): Promise<Feed> {
  const file = inPackage('@levada/source-websocket', 'bench/generator.ts');
  return startFeed(file, [bytes, perSecond, 'held']);
}

/** A gRPC server that answers {@link grpcFeed} with messages in frames of their own, as servers in Go and Java send them. */
export function startGrpcFeed({ bytes, perSecond }: FeedRate): Promise<Feed> {
  const file = inPackage('@levada/source-grpc', 'bench/generator.ts');
  return startFeed(file, [bytes, perSecond, 'single', 'held']);
}

/** What the gRPC feed serves. */
export const grpcFeed = {
  service: 'levada.bench.Feed',
  method: 'Watch',
  request: 'levada.bench.Request',
  response: 'levada.bench.Event',
} as const;

/** Its schema as a serialized descriptor set. */
export function grpcDescriptors(): Buffer {
  const buf = createRequire(import.meta.url).resolve('@bufbuild/buf/bin/buf');
  const folder = inPackage('@levada/source-grpc', 'bench/proto');
  const args = [buf, 'build', folder, '--as-file-descriptor-set', '-o', '-'];
  return execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** What is sent to an OTLP receiver. */
export interface ExportLoad {
  readonly port: number;
  readonly transport: 'http' | 'grpc';
  readonly request: 'span100' | 'span1';
  readonly connections: number;
  /** Requests at once on each connection. */
  readonly atOnce: number;
  /** 0: the next one when the last was answered. */
  readonly perSecond: number;
}

/** A program that sends exports to a receiver. Its count is of those that were taken. */
export function startExports(load: ExportLoad): Program {
  const { port, transport, request, connections, atOnce, perSecond } = load;
  const file = inPackage('@levada/source-otlp', 'bench/otlp/sender.ts');
  const args = [port, transport, request, connections, atOnce, perSecond].map(String);
  return startProgram({ name: 'the sender', core: 'others', command: [process.execPath, file, ...args] });
}
