import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { createScriptedConnector } from '../testing/scripted-connector.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createSource } from './create-source.ts';
import type { SourceInfo, SourceMessages } from './source-channels.ts';

type Channel = keyof SourceMessages;

const channels = [
  'levada:source:started',
  'levada:source:connected',
  'levada:source:disconnected',
  'levada:source:reconnecting',
  'levada:source:session',
  'levada:source:gap',
  'levada:source:dropped',
  'levada:source:batch',
  'levada:source:settled',
  'levada:source:failed',
  'levada:source:closed',
] as const satisfies readonly Channel[];

/** All messages about the source of this name, until the test is over. */
function messagesOf(name: string) {
  const messages: [Channel, Record<string, unknown> & { readonly source: SourceInfo }][] = [];
  for (const channel of channels) {
    const onMessage = (message: unknown): void => {
      const about = message as SourceMessages[Channel];
      if (about.source.name === name) messages.push([channel, { ...about }]);
    };
    subscribe(channel, onMessage);
    onTestFinished(() => void unsubscribe(channel, onMessage));
  }
  return messages;
}

function setUp(name: string, config: Record<string, string> = {}) {
  const { connector, peer } = createScriptedConnector();
  const clock = createManualClock();
  const source = createSource(connector, { topic: 'prices', ...config }, { clock, name });
  return { connector, peer, clock, source };
}

describe('the channels of sources', () => {
  it('get the life of a source, batch by batch', async () => {
    const messages = messagesOf('channels-1');
    const { source, peer, clock, connector } = setUp('channels-1', { 'scripted.batch.size': '2' });
    await source.ready();
    peer.send('1', '2', '3');
    const records = source[Symbol.asyncIterator]();
    for (let i = 0; i < 3; i += 1) await records.next();
    peer.drop('gone');
    await clock.advance(7000);
    await records.return?.();
    const [, first] = messages[0] ?? [];
    expect(first?.source).toMatchObject({ name: 'channels-1', connector: connector.className });
    expect(messages.map(([channel, message]) => [channel.slice(14), message['type'], message])).toMatchObject(
      [
        ['started', undefined, {}],
        ['connected', 'connected', { peer: 'scripted' }],
        ['batch', undefined, { records: [{ topic: 'prices' }, { topic: 'prices' }] }],
        ['settled', undefined, { dropped: new Map() }],
        ['batch', undefined, { records: [{ topic: 'prices' }] }],
        ['disconnected', 'disconnected', { reason: 'gone' }],
        ['reconnecting', 'reconnecting', { attempt: 1 }],
        ['connected', 'connected', {}],
        ['dropped', 'dropped', { cause: 'delivery_unknown', count: 1 }],
        ['closed', undefined, { delivered: 2, undelivered: 1 }],
      ],
    );
    expect(messages[3]?.[1]['records']).toBe(messages[2]?.[1]['records']);
    expect(new Set(messages.map(([, message]) => message.source)).size).toBe(1);
    expect(first?.source.status()).toMatchObject({ MessagesReceived: 3, RecordsProduced: 2 });
    expect(first?.source.health()).toEqual({ status: 'down', reason: 'closed' });
  });

  it('get the error of a source that fails', async () => {
    const messages = messagesOf('channels-2');
    const { source, peer } = setUp('channels-2', { 'scripted.reconnect.enabled': 'false' });
    await source.ready();
    peer.drop('gone');
    await waitFor(() => source.health().status === 'down');
    await source.close();
    expect(messages.at(-2)).toMatchObject([
      'levada:source:failed',
      { error: { code: 'reconnect_disabled' } },
    ]);
    expect(messages.at(-1)?.[0]).toBe('levada:source:closed');
  });

  it('get nothing of a source that was never used but its end', async () => {
    const messages = messagesOf('channels-3');
    await setUp('channels-3').source.close();
    expect(messages.map(([channel]) => channel)).toEqual(['levada:source:closed']);
  });
});
