import { connect, type Socket } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { onTestFinished } from 'vitest';

/** One answer as it was sent. */
export interface RawAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A client that sends bytes, whatever they are. */
export interface RawClient {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** The next answer; interim ones (100 Continue) count. Rejects when the connection ends before it does. */
  answer(options?: { readonly bodiless?: boolean }): Promise<RawAnswer>;
  /** Resolves when the receiver has ended the connection; with whether it was in order (false: it was reset). */
  ended(): Promise<boolean>;
  /** What has arrived and was not taken for an answer. */
  rest(): string;
}

/** Connects until the test ends. `halfOpen`: it keeps sending when the receiver has ended its side. */
export async function rawClient(port: number, { halfOpen = false } = {}): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: halfOpen });
  onTestFinished(() => void socket.destroy());
  let received = Buffer.alloc(0);
  let end: boolean | undefined;
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
  });
  socket.on('end', () => {
    end ??= true;
  });
  socket.on('error', () => {
    end = false;
  });
  socket.on('close', () => {
    end ??= true;
  });
  await waitFor(() => !socket.connecting);

  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    async answer({ bodiless = false } = {}) {
      await waitFor(() => end !== undefined || parseAnswer(received, bodiless) !== undefined);
      const parsed = parseAnswer(received, bodiless);
      if (parsed === undefined) throw new Error(`no answer before the end, but '${received.toString()}'`);
      received = received.subarray(parsed.length);
      return parsed.answer;
    },
    async ended() {
      await waitFor(() => end !== undefined);
      return end === true;
    },
    rest: () => received.toString(),
  };
}

function parseAnswer(
  bytes: Buffer,
  bodiless: boolean,
): { readonly answer: RawAnswer; readonly length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(statusLine.split(' ')[1]);
  const length = headEnd + 4 + (bodiless ? 0 : Number(headers['content-length'] ?? 0));
  if (bytes.length < length) return undefined;
  return { answer: { status, headers, body: bytes.subarray(headEnd + 4, length) }, length };
}

/** A request as text: `POST /v1/traces` with a protobuf body unless `options` say otherwise. */
export function requestText(
  headers: Readonly<Record<string, string>>,
  { start = 'POST /v1/traces HTTP/1.1', body = '' }: { readonly start?: string; readonly body?: string } = {},
): string {
  const all = { Host: 'collector', 'Content-Type': 'application/x-protobuf', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${start}\r\n${lines.join('')}\r\n${body}`;
}
