import { MessageChannel } from 'node:worker_threads';
import { ConnectorError } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type CallHandlers, type CallMessage, PortCalls } from './port-calls.ts';

const channels: MessageChannel[] = [];

/** The asking end of a pair over a real port. */
function callsTo(handlers: CallHandlers<string>): PortCalls<string, never> {
  const channel = new MessageChannel();
  channels.push(channel);
  const { port1, port2 } = channel;
  const asking = new PortCalls<string, never>(
    (message) => port1.postMessage(message),
    {} as CallHandlers<never>,
  );
  const answering = new PortCalls<never, string>((message) => port2.postMessage(message), handlers);
  port1.on('message', (message: CallMessage) => asking.take(message));
  port2.on('message', (message: CallMessage) => answering.take(message));
  return asking;
}

afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

describe('calls over a port', () => {
  it('are answered each with its own, whatever the order', async () => {
    const first = Promise.withResolvers<string>();
    const calls = callsTo({ later: () => first.promise, double: async (n: number) => 2 * n });
    const later = calls.call<string>('later');
    expect(await calls.call('double', 21)).toBe(42);
    first.resolve('at last');
    expect(await later).toBe('at last');
  });

  it('reject with the code, issues and cause of the error on the other side', async () => {
    const issues = [{ key: 'a', message: 'is wrong' }];
    const cause = new TypeError('deep');
    const calls = callsTo({
      fail: async () => {
        throw new ConnectorError('config_invalid', 'wrong', { issues, cause });
      },
    });
    await expect(calls.call('fail')).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'wrong',
      issues,
      cause: { name: 'TypeError', message: 'deep' },
    });
  });

  it('end on both sides when the signal is aborted', async () => {
    let signal: AbortSignal | undefined;
    const calls = callsTo({
      wait: (_: unknown, given) => {
        signal = given;
        return new Promise(() => undefined);
      },
    });
    const ending = new AbortController();
    const waiting = calls.call('wait', undefined, ending.signal);
    await waitFor(() => signal !== undefined);
    ending.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    await waitFor(() => signal?.aborted === true);
    await expect(calls.call('wait', undefined, ending.signal)).rejects.toMatchObject({ code: 'aborted' });
  });

  it('reject when the other side is gone, those under way and later ones', async () => {
    const calls = callsTo({ wait: () => new Promise(() => undefined) });
    const waiting = calls.call('wait');
    calls.close(new ConnectorError('closed', 'the thread has ended'));
    await expect(waiting).rejects.toThrow('the thread has ended');
    await expect(calls.call('wait')).rejects.toThrow('the thread has ended');
  });
});
