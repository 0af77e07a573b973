// Sends one request again and again on each of several connections, the next when the answer is there. Arguments: port, bytes of
// the body, connections, and how the body is sent.
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';

const [, , port, bytes, connections, encoding] = process.argv;
const plain = Buffer.from(Array.from({ length: Number(bytes) }, (_, at) => (at * 31 + (at >> 5)) & 0x7f));
const body = encoding === 'gzip' ? gzipSync(plain) : plain;
const head = [
  'POST /v1/traces HTTP/1.1',
  'Host: 127.0.0.1:4318',
  'User-Agent: OTel-OTLP-Exporter-JavaScript/0.301.0',
  'Content-Type: application/x-protobuf',
  ...(encoding === 'gzip' ? ['Content-Encoding: gzip'] : []),
  `Content-Length: ${body.length}`,
  'Connection: keep-alive',
];
const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
const END = Buffer.from('\r\n\r\n');

for (let index = 0; index < Number(connections); index++) {
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true }, () =>
    socket.write(request),
  );
  // Answers have no body and come in one piece.
  socket.on('data', (answer) => {
    if (!answer.subarray(-4).equals(END)) throw new Error(`unexpected answer '${answer.toString()}'`);
    socket.write(request);
  });
  socket.on('error', () => process.exit());
}
process.stdin.on('end', () => process.exit()).resume();
