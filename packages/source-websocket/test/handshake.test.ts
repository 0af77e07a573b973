import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningTask, startTask, texts } from './running-task.ts';
import { type RawServer, startRawServer, startSocketServer, upgradeAnswer } from './socket-server.ts';
import { frame, opcode } from './wire-frames.ts';

let running: RunningTask | undefined;
const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  // Servers first: scripted ones would not answer the close.
  for (const server of servers.splice(0)) await server.close();
  await running?.task.stop();
});

async function raw(respond: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
  const server = await startRawServer(respond);
  servers.push(server);
  return server;
}

/** A server that answers each handshake with the next of these texts, then with 101 and a message. */
function answering(...answers: string[]): Promise<RawServer> {
  return raw((socket, head, index) => {
    const answer = answers[index];
    if (answer !== undefined) socket.write(answer);
    else socket.write(Buffer.concat([upgradeAnswer(head), frame(opcode.text, 'in')]));
  });
}

describe('handshake', () => {
  it('sends the request byte for byte as expected', async () => {
    const server = await answering();
    running = await startTask({
      'websocket.url': `${server.url}feed?symbol=a b`,
      'websocket.auth.token': 'abc.def',
      'websocket.headers': 'X-One: 1:2, x-two:b',
      'websocket.headers.X-Three': 'with, comma',
      'websocket.subprotocols': '',
    });
    expect(texts(await running.take(1))).toEqual(['in']);
    const lines = server.heard[0]?.split('\r\n') ?? [];
    expect(lines.slice(0, lines.indexOf(''))).toEqual([
      'GET /feed?symbol=a%20b HTTP/1.1',
      'X-One: 1:2',
      'x-two: b',
      'X-Three: with, comma',
      'Authorization: Bearer abc.def',
      'Sec-WebSocket-Version: 13',
      expect.stringMatching(/^Sec-WebSocket-Key: [A-Za-z0-9+/]{22}==$/),
      'Connection: Upgrade',
      'Upgrade: websocket',
      `Host: 127.0.0.1:${server.port}`,
    ]);
  });

  it('sends one authorization only: the token, with a warning that names the others', async () => {
    const server = await answering();
    running = await startTask({
      'websocket.url': server.url.replace('ws://', 'ws://user:pw@'),
      'websocket.auth.token': 'the-token',
      'websocket.headers': '{"AUTHORIZATION": "Custom x, y"}',
    });
    await running.take(1);
    expect(server.heard[0]?.match(/^authorization:.*$/gim)).toEqual(['Authorization: Bearer the-token']);
    expect(running.logger.withEvent('authorization_replaced')[0]?.fields).toMatchObject({
      used: 'websocket.auth.token',
      ignored: ['websocket.headers', 'websocket.url'],
    });
  });

  it('sends the user info of the URL as basic authorization', async () => {
    const server = await answering();
    running = await startTask({ 'websocket.url': server.url.replace('ws://', 'ws://us%20er:p%40w@') });
    await running.take(1);
    const expected = `Authorization: Basic ${Buffer.from('us er:p@w').toString('base64')}`;
    expect(server.heard[0]?.match(/^authorization:.*$/gim)).toEqual([expected]);
  });

  it('hands over a message that came in the same segment as the answer', async () => {
    const server = await answering();
    running = await startTask({ 'websocket.url': server.url });
    expect(texts(await running.take(1))).toEqual(['in']);
  });

  it('needs one of the subprotocols that were offered', async () => {
    const server = await startSocketServer(({ socket }) => socket.send(socket.protocol));
    servers.push(server);
    running = await startTask({ 'websocket.url': server.url, 'websocket.subprotocols': 'v2, v1' });
    expect(texts(await running.take(1))).toEqual(['v2']);
  });
});

describe('a refused handshake', () => {
  it.each([
    ['401', 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n', 401],
    ['403', 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n', 403],
    ['200', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 200],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', 204],
    [
      'a redirect to the metadata address',
      'HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n',
      302,
    ],
    [
      'a redirect to a file',
      'HTTP/1.1 308 Permanent Redirect\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n',
      308,
    ],
    ['a body without end', `HTTP/1.1 500 Oops\r\nContent-Length: 9999999\r\n\r\n${'x'.repeat(4096)}`, 500],
    ['503', 'HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n', 503],
  ])('with %s is logged with its status and tried again', async (_, answer, status) => {
    const server = await answering(answer, answer);
    running = await startTask({ 'websocket.url': server.url, 'websocket.auth.token': 'secret-token' });
    expect(texts(await running.take(1))).toEqual(['in']);
    const failures = running.logger.withEvent('websocket_failure');
    expect(failures.map((line) => [line.level, line.fields['response_code']])).toEqual([
      ['error', status],
      ['error', status],
    ]);
    expect(running.metrics.read('TotalReconnects')).toBe(2);
    expect(running.logger.text()).not.toContain('secret-token');
  });

  it.each([
    [
      'a wrong accept key',
      'HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n',
    ],
    ['no upgrade header', 'HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
    ['no HTTP at all', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['10,000 headers', `HTTP/1.1 101 X\r\n${'a: b\r\n'.repeat(10_000)}\r\n`],
    ['a header of 1 MB', `HTTP/1.1 101 X\r\na: ${'b'.repeat(1024 * 1024)}\r\n\r\n`],
  ])('with %s is a protocol error and tried again', async (_, answer) => {
    const server = await answering(answer);
    running = await startTask({ 'websocket.url': server.url });
    expect(texts(await running.take(1))).toEqual(['in']);
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toMatch(
      `protocol violated by 127.0.0.1:${server.port}: `,
    );
  });

  it.each([
    ['a subprotocol that was not asked for', 'Sec-WebSocket-Protocol: v9'],
    [
      'an extension that was not offered',
      'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99',
    ],
  ])('for %s is a protocol error and tried again', async (_, header) => {
    const server = await raw((socket, head, index) => {
      if (index === 0) socket.write(upgradeAnswer(head, [header]));
      else socket.write(Buffer.concat([upgradeAnswer(head), frame(opcode.text, 'in')]));
    });
    running = await startTask({ 'websocket.url': server.url });
    expect(texts(await running.take(1))).toEqual(['in']);
    expect(running.logger.withEvent('websocket_failure')).toHaveLength(1);
  });

  it('reports a handshake answered in HTTP/1.0 as a protocol error, and tries again', async () => {
    const server = await raw((socket, head, index) => {
      const answer = upgradeAnswer(head).toString();
      if (index === 0) socket.write(answer.replace('HTTP/1.1', 'HTTP/1.0'));
      else socket.write(Buffer.concat([upgradeAnswer(head), frame(opcode.text, 'in')]));
    });
    running = await startTask({ 'websocket.url': server.url });
    expect(texts(await running.take(1))).toEqual(['in']);
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toBe(
      `protocol violated by 127.0.0.1:${server.port}: the handshake was answered in HTTP/1.0`,
    );
  });

  it('fails only the attempt when the server answers impossible deflate parameters', async () => {
    const answer = 'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99';
    const server = await raw((socket, head, index) => {
      if (index === 0) socket.write(upgradeAnswer(head, [answer]));
      else socket.write(Buffer.concat([upgradeAnswer(head), frame(opcode.text, 'in')]));
    });
    running = await startTask({ 'websocket.url': server.url, 'websocket.compression': 'true' });
    expect(texts(await running.take(1))).toEqual(['in']);
  });

  it('waits as long as Retry-After says, but never longer than the maximum', async () => {
    const clock = createManualClock();
    const busy = (after: string): string =>
      `HTTP/1.1 429 Slow Down\r\nRetry-After: ${after}\r\nContent-Length: 0\r\n\r\n`;
    const date = new Date(clock.now() + 100_000).toUTCString();
    const server = await answering(busy('7'), busy('9999'), busy(date), busy('soon'));
    running = await startTask({ 'websocket.url': server.url }, { clock });
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await running.logged('reconnect_scheduled', attempt);
      delays.push(Number(running.logger.withEvent('reconnect_scheduled').at(-1)?.fields['backoff_ms']));
      await clock.advance(delays.at(-1) ?? 0);
    }
    expect(delays.slice(0, 2)).toEqual([7000, 60_000]);
    // 67 seconds have passed when the third answer names its time; the fourth names none.
    expect(delays[2]).toBe(33_000);
    expect(delays[3]).toBeLessThanOrEqual(10);
    expect(texts(await running.take(1))).toEqual(['in']);
  });

  it('succeeds as soon as the token is replaced, because references are resolved again', async () => {
    const server = await raw((socket, head) => {
      const good = head.includes('Bearer new-token');
      socket.write(
        good
          ? Buffer.concat([upgradeAnswer(head), frame(opcode.text, 'in')])
          : 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n',
      );
    });
    const config = {
      'websocket.url': server.url,
      'platform.topic': 'prices',
      'websocket.reconnect.interval.ms': '1',
    };
    running = await startTask(
      { ...config, 'websocket.auth.token': 'old-token' },
      { resolveConfig: async () => ({ ...config, 'websocket.auth.token': 'new-token' }) },
    );
    expect(texts(await running.take(1))).toEqual(['in']);
    expect(server.heard[0]).toContain('Bearer old-token');
  });
});

describe('a connection that is not made', () => {
  it('reports a refused port with address and reason without failing the start', async () => {
    const server = await raw(() => undefined);
    await server.close();
    running = await startTask({ 'websocket.url': server.url });
    await running.logged('websocket_failure', 2);
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toBe(
      `cannot connect to 127.0.0.1:${server.port}: connect ECONNREFUSED 127.0.0.1:${server.port}`,
    );
    expect(running.task.connection()).toMatchObject({ lastError: expect.stringContaining('ECONNREFUSED') });
  });

  it('reports an unknown host with its name', async () => {
    // A label of 64 characters cannot exist, so that no name server is asked.
    const host = `${'x'.repeat(64)}.invalid`;
    running = await startTask({ 'websocket.url': `ws://${host}/` });
    await running.logged('websocket_failure');
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toMatch(
      `cannot connect to ${host}: getaddrinfo E`,
    );
  });

  it('because the server accepts and never answers ends after the connection timeout', async () => {
    const clock = createManualClock();
    const server = await raw(() => undefined);
    running = await startTask(
      { 'websocket.url': server.url, 'websocket.connection.timeout.ms': '5000' },
      { clock },
    );
    await waitFor(() => server.heard[0]?.includes('\r\n\r\n'));
    await clock.advance(4999);
    expect(running.logger.withEvent('websocket_failure')).toHaveLength(0);
    await clock.advance(1);
    await running.logged('websocket_failure');
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toBe(
      `no connection to 127.0.0.1:${server.port} within 5000 ms`,
    );
    await waitFor(() => server.sockets[0]?.destroyed);
  });
});

describe('subscription', () => {
  it('is sent once per opening and before anything is consumed', async () => {
    const server = await startSocketServer(({ socket, received }, index) => {
      socket.send(`greeting ${index}`);
      socket.once('message', (data: Buffer) => {
        socket.send(`answer to ${data.toString()} after ${received.length}`);
        if (index === 0) socket.close(1000);
      });
    });
    servers.push(server);
    running = await startTask({
      'websocket.url': server.url,
      'websocket.subscription.message': '{"op":"sub"}',
    });
    expect(texts(await running.take(4)).sort()).toEqual(
      ['answer to {"op":"sub"} after 0', 'answer to {"op":"sub"} after 0', 'greeting 0', 'greeting 1'].map(
        (text) => text.replace('after 0', 'after 1'),
      ),
    );
    expect(server.accepted.map((accepted) => accepted.received)).toEqual([
      ['{"op":"sub"}'],
      ['{"op":"sub"}'],
    ]);
    expect(running.logger.text()).not.toContain('{\\"op\\"');
  });

  it.each(['CONNECT\naccept-version:1.2\n\n\u0000', '\n', ' {"op": "sub"}\r\n'])(
    'is sent exactly as given, control characters and white space around it included: %j',
    async (text) => {
      const server = await startSocketServer(({ socket }) => {
        socket.once('message', () => socket.send('a'));
      });
      servers.push(server);
      running = await startTask({ 'websocket.url': server.url, 'websocket.subscription.message': text });
      await running.take(1);
      expect(server.accepted[0]?.received).toEqual([text]);
    },
  );

  it('is not sent when it is empty', async () => {
    const server = await startSocketServer(({ socket }) => socket.send('a'));
    servers.push(server);
    running = await startTask({ 'websocket.url': server.url, 'websocket.subscription.message': '' });
    await running.take(1);
    expect(running.logger.withEvent('subscription_sent')).toHaveLength(0);
    expect(server.accepted[0]?.received).toEqual([]);
  });

  it('is rejected when the server closes without having said anything', async () => {
    const server = await startSocketServer(({ socket }) => {
      socket.once('message', () => socket.close(1008, 'bad\r\nsubscription'));
    });
    servers.push(server);
    running = await startTask({ 'websocket.url': server.url, 'websocket.subscription.message': 's' });
    await running.logged('subscription_rejected', 2);
    expect(running.logger.withEvent('subscription_rejected')[0]).toMatchObject({
      level: 'error',
      fields: { reason: 'closed', close_code: 1008, close_reason: 'bad\\u000d\\u000asubscription' },
    });
    // A third connection may have been made meanwhile, and not have sent anything yet.
    expect(server.accepted.slice(0, 2).map(({ received }) => received)).toEqual([['s'], ['s']]);
  });

  it('is rejected by a message that matches the rule; the message is a record all the same', async () => {
    const server = await startSocketServer(({ socket }, index) => {
      socket.once('message', () => socket.send(index === 0 ? '{"event":"error"}' : '{"event":"ok"}'));
    });
    servers.push(server);
    running = await startTask({
      'websocket.url': server.url,
      'websocket.subscription.message': 's',
      'websocket.subscription.reject.match': '/event=error',
    });
    expect(texts(await running.take(2))).toEqual(['{"event":"error"}', '{"event":"ok"}']);
    expect(running.logger.withEvent('subscription_rejected')[0]?.fields['reason']).toBe('matched');
  });

  it('is rejected when the acknowledgement does not come in time', async () => {
    const clock = createManualClock();
    const server = await startSocketServer(({ socket }) => socket.send('noise'));
    servers.push(server);
    running = await startTask(
      {
        'websocket.url': server.url,
        'websocket.subscription.message': 's',
        'websocket.subscription.ack.match': 'subscribed',
        'websocket.subscription.ack.timeout.ms': '3000',
      },
      { clock },
    );
    await running.take(1);
    await clock.advance(3000);
    await running.logged('subscription_rejected');
    expect(running.logger.withEvent('subscription_rejected')[0]?.fields['reason']).toBe('not_acknowledged');
    await waitFor(() => server.accepted[0]?.closed?.code === 1000);
  });
});
