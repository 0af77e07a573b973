import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { eventBytes } from '@levada/test-peers/grpc';
import { prefixed } from '@levada/test-peers/http2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runTask } from './feed.ts';

/** A call as any HTTP/2 server sees it. */
interface SeenCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A server that takes down calls and answers each with one message. */
async function takingDown(): Promise<{ readonly port: number; readonly calls: readonly SeenCall[] }> {
  const calls: SeenCall[] = [];
  const server = createServer();
  const answer = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> => {
    calls.push({ headers, body: Buffer.concat(await stream.toArray()) });
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.write(prefixed(eventBytes({ payload: 'm' })));
  };
  server.on('stream', (stream, headers) => void answer(stream, headers));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, calls };
}

describe('a call', () => {
  it('names the service, the method and the endpoint, and has no deadline', async () => {
    const { port, calls } = await takingDown();
    await (await runTask(port)).take(1);
    expect(calls[0]?.headers).toMatchObject({
      ':method': 'POST',
      ':scheme': 'http',
      ':path': '/teststream.TestStreamService/StreamEvents',
      ':authority': `127.0.0.1:${port}`,
      'content-type': 'application/grpc',
    });
    expect(calls[0]?.headers).not.toHaveProperty('grpc-timeout');
    expect(calls[0]?.headers).not.toHaveProperty('grpc-encoding');
  });

  it('names the authority and compresses its request as configured', async () => {
    const { port, calls } = await takingDown();
    const raw = {
      'grpc.authority': 'feed.example:443',
      'grpc.compression': 'gzip',
      'grpc.request.message': '{"filter":"f"}',
    };
    await (await runTask(port, { raw })).take(1);
    const [call] = calls;
    expect(call?.headers).toMatchObject({ ':authority': 'feed.example:443', 'grpc-encoding': 'gzip' });
    expect(call?.body[0]).toBe(1);
    expect(gunzipSync(call?.body.subarray(5) ?? '').toString()).toBe('\n\u0001f');
  });
});
