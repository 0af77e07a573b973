import { eventBytes } from '@levada/test-peers/grpc';
import { dataFrame, headersFrame } from '@levada/test-peers/http2';
import { describe, expect, it } from 'vitest';
import { fieldsOf, runTask } from './feed.ts';
import { answerWith, rawServer } from './raw-feed.ts';
import { trailersFrame } from './raw-http2-server.ts';
import type { RunningTask } from './running-task.ts';

/** Everything that a task reported, its failure included. */
async function reportedBy(running: RunningTask): Promise<string> {
  const failure = await running.task.poll().catch((thrown: unknown) => thrown);
  const stacks = (_: string, value: unknown): unknown =>
    value instanceof Error ? `${value.stack}${JSON.stringify(value.cause, stacks)}` : value;
  return [
    running.logger.text(),
    JSON.stringify(running.events, stacks),
    JSON.stringify(running.task.connection()),
    JSON.stringify(failure, stacks),
  ].join('\n');
}

const bytes = Buffer.from('canary-bytes-75');

const canaries = {
  bearer: 'canary-bearer-71',
  listed: 'canary-listed-72',
  named: 'canary-named-73',
  basic: 'canary-basic-74',
  bytes: 'canary-bytes-75',
  base64: bytes.toString('base64'),
};

const secret = {
  'grpc.metadata': `authorization: Bearer ${canaries.bearer}, x-key: ${canaries.listed}`,
  'grpc.metadata.x-other': canaries.named,
  'grpc.metadata.x-login': `Basic ${canaries.basic}`,
  'grpc.metadata.x-raw-bin': canaries.base64,
  'grpc.reconnect.max.attempts': '1',
};

const { bearer, listed, named, basic } = canaries;
const quoted = `${bearer} ${listed} ${named} ${basic} ${canaries.bytes} ${canaries.base64}`;

describe('what a server says', () => {
  it('shows no secret of ours, although it repeats all of them', async () => {
    const server = await rawServer({
      onCall: (peer, streamId) => {
        answerWith(peer, streamId, [eventBytes({ payload: bearer })]);
        peer.write(trailersFrame(streamId, { 'grpc-status': '16', 'grpc-message': quoted }));
      },
    });
    const running = await runTask(server.port, { raw: secret });
    await running.take(2);
    const reported = await reportedBy(running);
    expect(reported).toContain('16 UNAUTHENTICATED: *** *** *** *** *** ***');
    for (const canary of Object.values(canaries)) expect(reported).not.toContain(canary);
  });

  it('shows none either when it is asked for the descriptor, or when a proxy repeats them', async () => {
    const server = await rawServer({
      onCall: (peer, streamId) => {
        if (server.peers.length > 1)
          peer.write(
            headersFrame(streamId, { ':status': '502', 'content-type': `text/${named}` }, { end: true }),
          );
        else
          peer.write(
            headersFrame(
              streamId,
              {
                ':status': '200',
                'content-type': 'application/grpc',
                'grpc-status': '7',
                'grpc-message': quoted,
              },
              { end: true },
            ),
          );
      },
    });
    const running = await runTask(server.port, { raw: { ...secret, 'grpc.proto.descriptor': null } });
    await running.logged('reconnect_failed');
    const reported = await reportedBy(running);
    expect(reported).toContain('7 PERMISSION_DENIED: *** *** *** *** *** ***');
    expect(reported).toContain('HTTP 502');
    for (const canary of Object.values(canaries)) expect(reported).not.toContain(canary);
  });

  it('shows none with quotes in it, which a proxy repeats in its page', async () => {
    const token = 'canary"quote\\76';
    const server = await rawServer({
      onCall: (peer, streamId) =>
        peer.write(
          headersFrame(streamId, { ':status': '403', 'content-type': 'text/plain' }),
          dataFrame(streamId, Buffer.from(`bad token ${token}`), { end: true }),
        ),
    });
    const running = await runTask(server.port, { raw: { 'grpc.metadata.x-token': token } });
    await running.logged('connection_failed');
    expect(fieldsOf(running, 'connection_failed')[0]?.['error_message']).toMatch(/: "bad token \*{3}"$/);
  });

  it('shows nothing of a long token that it repeats in part', async () => {
    const token = `eyJhbGciOiJSUzI1NiJ9.${'claims'.repeat(300)}.signature`;
    const server = await rawServer({
      onCall: (peer, streamId) => {
        answerWith(peer, streamId, []);
        peer.write(trailersFrame(streamId, { 'grpc-status': '16', 'grpc-message': `expired: ${token}` }));
      },
    });
    const raw = { 'grpc.metadata.authorization': `Bearer ${token}`, 'grpc.reconnect.max.attempts': '1' };
    const running = await runTask(server.port, { raw });
    await running.logged('reconnect_failed');
    const reported = await reportedBy(running);
    expect(reported).toContain('16 UNAUTHENTICATED: expired: ***');
    expect(reported).not.toContain('claims');
  });

  it('stays readable when a value of the metadata is an ordinary word', async () => {
    const server = await rawServer({
      onCall: (peer, streamId) => {
        answerWith(peer, streamId, []);
        peer.write(trailersFrame(streamId, { 'grpc-status': '0' }));
      },
    });
    const raw = { 'grpc.metadata': 'x-kind:server,x-mode:stream', 'grpc.reconnect.max.attempts': '0' };
    const running = await runTask(server.port, { raw });
    await expect(running.task.poll()).rejects.toThrow('the server ended the stream');
  });

  it('is escaped and cut before it is logged', async () => {
    const text = '%1B[31mred%0D%0Aevent=forged%E2%80%AE%C2%85 end';
    const server = await rawServer({
      onCall: (peer, streamId) => {
        answerWith(peer, streamId, []);
        const message = server.peers.length === 1 ? text : 'x'.repeat(10_000);
        peer.write(trailersFrame(streamId, { 'grpc-status': '13', 'grpc-message': message }));
      },
    });
    const running = await runTask(server.port, { raw: { 'grpc.reconnect.max.attempts': '1' } });
    await running.logged('reconnect_failed');
    const [first, second] = running.logger
      .withEvent('connection_failed')
      .map(({ fields }) => String(fields['error_message']));
    expect(first).toContain('13 INTERNAL: \\u001b[31mred\\u000d\\u000aevent=forged\\u202e\\u0085 end');
    expect(second?.length).toBeLessThan(700);
  });
});

describe('a key that is configured as text', () => {
  it('does not report a key given as text when it cannot be used', async () => {
    const canary = 'canaryKeyText';
    const raw = {
      'grpc.tls.enabled': 'true',
      'grpc.tls.client.cert': `-----BEGIN CERTIFICATE-----\n${canary}Cert\n-----END CERTIFICATE-----`,
      'grpc.tls.client.key.pem': `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----`,
    };
    const thrown: unknown = await runTask(1, { raw }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'file_unreadable' });
    expect(`${(thrown as Error).stack}${String((thrown as Error).cause)}`).not.toContain(canary);
  });
});
