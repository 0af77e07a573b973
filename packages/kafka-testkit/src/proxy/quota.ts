import { connect } from 'node:net';
import type { ReachableBroker } from '../broker/broker.ts';
import { int16, int32, text } from './produce-refusal.ts';

const ALTER_CLIENT_QUOTAS = 49;

/**
 * Limits what each client may write, in bytes a second, measured by Kafka over 11 seconds (`producer_byte_rate` of the default client
 * id). Null: without a limit again. Clients see it within moments.
 */
export async function limitProducers(broker: ReachableBroker, bytesPerSecond: number | null): Promise<void> {
  const request = Buffer.concat([
    int16(ALTER_CLIENT_QUOTAS),
    int16(0), // version
    int32(1), // correlation id
    text('testkit'),
    int32(1), // entries
    int32(1), // parts of the entity
    text('client-id'),
    int16(-1), // the default client id
    int32(1), // operations
    text('producer_byte_rate'),
    float64(bytesPerSecond ?? 0),
    Buffer.from([bytesPerSecond === null ? 1 : 0]), // remove
    Buffer.from([0]), // only validate
  ]);
  const answer = await exchange(broker, Buffer.concat([int32(request.length), request]));
  // Length, correlation id, throttle time, number of entries.
  const errorCode = answer.readInt16BE(16);
  if (errorCode !== 0) throw new Error(`the broker refused the quota with error ${errorCode}`);
}

function exchange({ bootstrap }: ReachableBroker, request: Buffer): Promise<Buffer> {
  const at = bootstrap.lastIndexOf(':');
  return new Promise((resolve, reject) => {
    const socket = connect({ host: bootstrap.slice(0, at), port: Number(bootstrap.slice(at + 1)) });
    let received = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the broker closed the connection')));
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      if (received.length < 4 || received.length < 4 + received.readInt32BE(0)) return;
      resolve(received);
      socket.destroy();
    });
    socket.write(request);
  });
}

function float64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}
