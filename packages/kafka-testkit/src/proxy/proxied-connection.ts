import { connect, type Socket } from 'node:net';
import { refuseProduce } from './produce-refusal.ts';
import type { ProxyFaults } from './proxy-faults.ts';

/** One client's connection through the proxy. */
export interface ProxiedConnection {
  /** Ends both sides with RST. */
  reset(): void;
  /** Lets pass what was held back. */
  release(): void;
}

interface Ends {
  readonly client: Socket;
  readonly brokerPort: number;
  readonly faults: ProxyFaults;
}

/** Forwards frames both ways, making the faults that are due. A broker answers the requests of a connection in their order. */
export function proxyConnection({ client, brokerPort, faults }: Ends): ProxiedConnection {
  const upstream = connect({ host: '127.0.0.1', port: brokerPort });
  const asked: { readonly apiKey: number; readonly version: number; readonly answer: Buffer | undefined }[] =
    [];
  const held: (() => void)[] = [];
  const reset = (): void => {
    client.resetAndDestroy();
    upstream.resetAndDestroy();
  };
  const pass = (forward: () => void): void => {
    if (faults.holding) held.push(forward);
    else forward();
  };
  /** Made-up answers wait until those of the broker that precede them are sent. */
  const answerMadeUp = (): void => {
    while (asked[0]?.answer !== undefined) client.write(asked.shift()?.answer ?? '');
  };
  const onRequest = (frame: Buffer): void => {
    const apiKey = frame.readInt16BE(4);
    const refusal = faults.arrived(apiKey);
    const answer = refusal === undefined ? undefined : refuseProduce(frame, refusal);
    asked.push({ apiKey, version: frame.readInt16BE(6), answer });
    if (answer === undefined) upstream.write(frame);
    else answerMadeUp();
  };
  const onResponse = (frame: Buffer): void => {
    const { apiKey, version } = asked.shift() ?? { apiKey: -1, version: 0 };
    if (faults.swallows(apiKey)) {
      reset();
      return;
    }
    faults.apply(apiKey, version, frame);
    const forward = (): void => {
      client.write(frame);
      answerMadeUp();
    };
    const ms = faults.delayOf(apiKey);
    if (ms > 0) setTimeout(forward, ms);
    else forward();
  };
  readFrames(client, (frame) => pass(() => onRequest(frame)));
  readFrames(upstream, (frame) => pass(() => onResponse(frame)));
  endTogether(client, upstream);
  const release = (): void => {
    for (const forward of held.splice(0)) forward();
  };
  return { reset, release };
}

function readFrames(socket: Socket, onFrame: (frame: Buffer) => void): void {
  const reader = new ProxyFrameReader();
  socket.setNoDelay(true);
  socket.on('data', (bytes) => reader.push(bytes, onFrame));
}

function endTogether(one: Socket, other: Socket): void {
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    socket.on('close', () => peer.destroy());
    socket.on('error', () => {
      // the close that follows ends the peer
    });
  }
}

/** Cuts a stream of bytes into Kafka's frames: four bytes of length, then as many bytes. */
class ProxyFrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Adds bytes; calls back with each whole frame, its length included. */
  push(bytes: Buffer, onFrame: (frame: Buffer) => void): void {
    let buffer = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (buffer.length >= 4 && buffer.length >= 4 + buffer.readInt32BE(0)) {
      const end = 4 + buffer.readInt32BE(0);
      onFrame(buffer.subarray(0, end));
      buffer = buffer.subarray(end);
    }
    this.#rest = buffer;
  }
}
