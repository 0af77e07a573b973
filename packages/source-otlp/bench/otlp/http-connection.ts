// As little of a client of HTTP/1.1 as sending takes: it must cost less than any server's work.
import { connect } from 'node:net';
import type { ClientConnection, ConnectionOptions } from './client-connection.ts';

const END = '\r\n\r\n';

/** One request at a time. */
export function openHttpConnection({
  port,
  request,
  startTimeAt,
  onReady,
  onAnswer,
  onEnd,
}: ConnectionOptions): void {
  const head = Buffer.from(
    [
      `POST /v1/${request.signal} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'User-Agent: OTel-OTLP-Exporter-JavaScript/0.301.0',
      `Content-Type: ${request.contentType}`,
      `Content-Length: ${request.body.length}`,
      'Connection: keep-alive',
    ].join('\r\n') + END,
  );
  const whole = Buffer.concat([head, request.body]);
  let answer = '';
  let waiting = false;
  const connection: ClientConnection = {
    send: (startTime) => {
      waiting = true;
      if (startTime === undefined) socket.write(whole);
      else {
        const stamped = Buffer.from(whole);
        stamped.writeBigUInt64LE(startTime, head.length + startTimeAt);
        socket.write(stamped);
      }
    },
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => onReady(connection));
  socket.on('error', () => process.exit());
  socket.on('close', () => {
    if (waiting) throw new Error('the server ended a connection instead of answering');
    onEnd(connection);
  });
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
    if (!isWhole(answer)) return;
    const taken = answer.startsWith('HTTP/1.1 200');
    if (!taken && !answer.startsWith('HTTP/1.1 503')) throw new Error(`unexpected answer '${answer}'`);
    answer = '';
    waiting = false;
    onAnswer(connection, taken);
  });
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf(END);
  if (end < 0) return false;
  const [, length = '0'] = /content-length: (\d+)/i.exec(answer) ?? [];
  return answer.length >= end + END.length + Number(length);
}
