// The least that answers OTLP exports, with `node:http` or `node:http2`: it reads each body to its end, forgets it, and says that all
// is well. Argument: `http` or `grpc`. Prints its port. Answers `count` with the number of exports.
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { createInterface } from 'node:readline';

const WINDOW = 4 * 1_048_576;
let received = 0;

/** An empty message of gRPC. */
const EMPTY = Buffer.alloc(5);

const server = process.argv[2] === 'grpc' ? grpc() : http();
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
createInterface({ input: process.stdin })
  .on('line', () => process.stdout.write(`${received}\n`))
  .on('close', () => process.exit());

function http(): Server {
  return createServer((request, response) => {
    request.on('end', () => {
      received += 1;
      response.writeHead(200, { 'content-type': 'application/x-protobuf', 'content-length': 0 }).end();
    });
    request.resume();
  });
}

function grpc(): Server {
  const made = createHttp2Server({ settings: { initialWindowSize: WINDOW, maxConcurrentStreams: 1000 } });
  made.on('session', (session) => session.setLocalWindowSize(4 * WINDOW));
  made.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.on('end', () => {
      received += 1;
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(EMPTY);
    });
    stream.resume();
  });
  return made as unknown as Server;
}
