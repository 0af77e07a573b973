// A gRPC server made with grpc-js, for tests. Arguments: the .proto file and the folder with the certificates. It listens on
// one loopback port for each way to be reached, and prints them as one line of JSON. It ends with its standard input.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { feedService } from './node-feed.ts';

const [proto = '', folder = ''] = process.argv.slice(2);
const file = (name: string): Buffer => readFileSync(join(folder, name));
const { definition, handlers } = feedService(proto);

const pair = { private_key: file('server.key'), cert_chain: file('server.pem') };
const insecure = ServerCredentials.createInsecure();
const ports = {
  plain: await serve(insecure),
  tls: await serve(ServerCredentials.createSsl(null, [pair])),
  mtls: await serve(ServerCredentials.createSsl(file('ca.pem'), [pair], true)),
  aged: await serve(insecure, aged(10_000)),
  cut: await serve(insecure, aged(100)),
};
process.stdout.write(`${JSON.stringify(ports)}\n`);
process.stdin.on('end', () => process.exit()).resume();

/** Ends connections: GOAWAY first, and after the grace whatever is still open. */
function aged(graceMs: number): Readonly<Record<string, number>> {
  return { 'grpc.max_connection_age_ms': 500, 'grpc.max_connection_age_grace_ms': graceMs };
}

function serve(
  credentials: ServerCredentials,
  options: Readonly<Record<string, number>> = {},
): Promise<number> {
  const server = new Server(options);
  server.addService(definition, handlers);
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}
