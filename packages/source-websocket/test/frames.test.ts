import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningTask, startTask, texts } from './running-task.ts';
import { type RawServer, startRawServer, upgradeAnswer } from './socket-server.ts';
import { closeFrame, frame, opcode } from './wire-frames.ts';

let server: RawServer | undefined;
let running: RunningTask | undefined;
afterEach(async () => {
  await server?.close();
  await running?.task.stop();
});

const limit = 1000;
const first = { fin: false };

/** Writes these bytes to the first connection, one write each, and "next" to the second. */
async function serve(...chunks: readonly Buffer[]): Promise<RunningTask> {
  server = await startRawServer((socket, head, index) => {
    socket.write(upgradeAnswer(head));
    if (index > 0) socket.write(frame(opcode.text, 'next'));
    else for (const chunk of chunks) socket.write(chunk);
  });
  running = await startTask({ 'websocket.url': server.url, 'websocket.max.message.size': String(limit) });
  return running;
}

describe('frames that are taken', () => {
  it.each<[string, Buffer[], string[]]>([
    ['a message of exactly the limit', [frame(opcode.text, 'x'.repeat(limit))], ['x'.repeat(limit)]],
    ['a message below the limit', [frame(opcode.text, 'x'.repeat(limit - 1))], ['x'.repeat(limit - 1)]],
    [
      'a fragmented message with a ping between its parts',
      [frame(opcode.text, 'ab', first), frame(opcode.ping, 'p'), frame(opcode.continuation, 'cd')],
      ['abcd'],
    ],
    [
      'a character that is split between two fragments',
      [
        frame(opcode.text, Buffer.from('ü').subarray(0, 1), first),
        frame(opcode.continuation, Buffer.from('ü').subarray(1)),
      ],
      ['ü'],
    ],
    ['an empty message', [frame(opcode.text, '')], ['']],
    ['an empty fragment at the end', [frame(opcode.text, 'a', first), frame(opcode.continuation, '')], ['a']],
    ['an unasked-for pong before a message', [frame(opcode.pong, 'x'), frame(opcode.text, 'a')], ['a']],
    [
      'a message cut anywhere by the network',
      [...frame(opcode.text, 'byte by byte')].map((byte) => Buffer.from([byte])),
      ['byte by byte'],
    ],
  ])('takes %s', async (_, chunks, expected) => {
    const { take } = await serve(...chunks);
    expect(texts(await take(expected.length))).toEqual(expected);
    expect(server?.sockets).toHaveLength(1);
  });

  it('100,000 empty messages give as many empty records', async () => {
    server = await startRawServer((socket, head) => {
      socket.write(upgradeAnswer(head));
      socket.write(Buffer.alloc(200_000, frame(opcode.text, '')));
    });
    running = await startTask({ 'websocket.url': server.url, 'websocket.message.queue.size': '100000' });
    const records = await running.take(100_000);
    expect(records.every((record) => (record.value as Uint8Array).length === 0)).toBe(true);
    expect(running.metrics.read('MessagesReceived')).toBe(100_000);
  });
});

describe('frames that end the connection', () => {
  it.each<[string, Buffer[], RegExp]>([
    [
      'a message above the limit',
      [frame(opcode.text, 'x'.repeat(limit + 1))],
      /message above the limit .*Max payload/,
    ],
    ['a length of 2^63', [frame(opcode.text, '', { announced: 1n << 63n })], /message above the limit/],
    [
      'more fragments than are allowed',
      [frame(opcode.text, 'a', first), Buffer.alloc(3 * 2000, frame(opcode.continuation, 'a', first))],
      /message above the limit .*(payload|fragments)/,
    ],
    ['invalid UTF-8', [frame(opcode.text, Buffer.from([0xc3, 0x28]))], /protocol violated .*UTF-8/],
    ['a lone surrogate', [frame(opcode.text, Buffer.from([0xed, 0xa0, 0x80]))], /protocol violated .*UTF-8/],
    ['RSV1 without an extension', [frame(opcode.text, 'a', { reserved: 4 })], /RSV1/],
    ['RSV2', [frame(opcode.text, 'a', { reserved: 2 })], /RSV2/],
    ['a reserved opcode', [frame(3, 'a')], /invalid opcode 3/],
    ['a reserved control opcode', [frame(11, 'a')], /invalid opcode 11/],
    ['a masked frame', [frame(opcode.text, 'a', { masked: true })], /MASK must be clear/],
    ['a continuation of nothing', [frame(opcode.continuation, 'a')], /invalid opcode 0/],
    [
      'a new message inside another',
      [frame(opcode.text, 'a', first), frame(opcode.text, 'b')],
      /invalid opcode 1/,
    ],
    ['a fragmented ping', [frame(opcode.ping, 'a', first)], /FIN must be set/],
    ['a ping of 126 bytes', [frame(opcode.ping, 'a'.repeat(126))], /invalid payload length/],
    ['close code 1006 on the wire', [closeFrame(1006)], /invalid status code 1006/],
    ['a close frame of one byte', [frame(opcode.close, 'a')], /invalid payload length 1/],
  ])('%s: reported, and the next connection works', async (_, chunks, message) => {
    const { take, logger } = await serve(...chunks);
    expect(texts(await take(1))).toEqual(['next']);
    expect(logger.withEvent('websocket_failure')[0]?.fields['error_message']).toMatch(message);
  });

  it('a message that comes in byte by byte ends the connection long before it is complete', async () => {
    let dripped = 0;
    server = await startRawServer((socket, head, index) => {
      socket.setNoDelay(true);
      socket.write(upgradeAnswer(head));
      if (index > 0) socket.write(frame(opcode.text, 'next'));
      else socket.write(frame(opcode.text, '', { announced: 1_000_000n }));
      const drip = (): void => {
        if (index > 0 || socket.destroyed) return;
        socket.write('a');
        dripped += 1;
        setImmediate(drip);
      };
      drip();
    });
    running = await startTask({ 'websocket.url': server.url, 'websocket.max.message.size': '1000000' });
    expect(texts(await running.take(1))).toEqual(['next']);
    expect(dripped).toBeLessThan(50_000);
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toMatch(
      /message above the limit .*chunks/,
    );
  });

  it('a message above the limit is answered with close code 1009', async () => {
    const { take } = await serve(frame(opcode.text, 'x'.repeat(limit + 1)));
    await take(1);
    // A masked close frame of two bytes follows the request head; unmask the code.
    const heard = Buffer.from(server?.heard[0]?.split('\r\n\r\n')[1] ?? '', 'latin1');
    const code = ((heard[6] ?? 0) ^ (heard[2] ?? 0)) * 256 + ((heard[7] ?? 0) ^ (heard[3] ?? 0));
    expect([heard[0], heard[1], code]).toEqual([0x88, 0x82, 1009]);
  });

  it('data after a close frame is ignored', async () => {
    const { take, metrics } = await serve(Buffer.concat([closeFrame(1000), frame(opcode.text, 'late')]));
    expect(texts(await take(1))).toEqual(['next']);
    expect(metrics.read('MessagesReceived')).toBe(1);
  });

  it('a close reason is logged with its control characters escaped', async () => {
    const { take, logger } = await serve(closeFrame(1000, '\u001b[31mred\r\nline \u2028'));
    await take(1);
    expect(logger.withEvent('websocket_closed')[0]?.fields['reason']).toBe(
      '\\u001b[31mred\\u000d\\u000aline \\u2028',
    );
  });

  it('a close frame without a code is a close all the same', async () => {
    const { take, logger } = await serve(frame(opcode.close));
    await take(1);
    expect(logger.withEvent('websocket_closed')[0]?.fields['code']).toBe(1005);
  });
});

describe('a flood of pings', () => {
  it('is answered within bounds, and messages continue', async () => {
    const { take, logger } = await serve(
      Buffer.concat([Buffer.alloc(3 * 20_000, frame(opcode.ping, 'p')), frame(opcode.text, 'after')]),
    );
    // Either all pings were answered, or the peer was given up for not reading the answers.
    const [got] = texts(await take(1));
    expect(['after', 'next']).toContain(got);
    await waitFor(() => logger.withEvent('websocket_opened').length > 0);
  });
});
