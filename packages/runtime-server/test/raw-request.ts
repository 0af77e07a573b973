import { connect } from 'node:net';

/** What came back over the wire. */
export interface RawAnswer {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Writes bytes as they are to a port of this machine and reads until the other side closes, or until an answer is complete. */
export function rawRequest(port: number, parts: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const finish = (): void => {
      socket.destroy();
      resolve(parseAnswer(Buffer.concat(chunks).toString('latin1')));
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (isComplete(Buffer.concat(chunks).toString('latin1'))) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.setTimeout(8000, finish);
    for (const part of parts) socket.write(part);
  });
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const head = end === -1 ? text : text.slice(0, end);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head: head.toLowerCase(),
    body: end === -1 ? '' : text.slice(end + 4),
  };
}

function isComplete(text: string): boolean {
  const { status, head, body } = parseAnswer(text);
  if (!text.includes('\r\n\r\n') || status < 200) return false;
  const length = /content-length: (\d+)/.exec(head)?.[1];
  return length === undefined ? status === 204 : body.length >= Number(length);
}
