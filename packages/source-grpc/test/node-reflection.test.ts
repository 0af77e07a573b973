import type { Server } from '@grpc/grpc-js';
import { loadSync, type Options } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { eventBytes, eventJson, messageBytes, messageJson, protoFolder } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import { feed, runTask, serve } from './feed.ts';
import { texts } from './running-task.ts';

/** Adds the reflection service for Node, which describes what is in the file. */
function described(file: string, options: Options = {}): (server: Server) => void {
  const definition = loadSync(`teststream/${file}`, { includeDirs: [protoFolder], ...options });
  return (server) => new ReflectionService(definition).addToServer(server);
}

const reflected = { 'grpc.proto.descriptor': null };
const rich = { 'grpc.service.name': 'teststream.RichService', 'grpc.method.name': 'Watch' };

/** Uses maps, nested and well-known types, enums of another file, and presence. */
const richEvent = {
  eventId: 'e1',
  sequence: '9007199254740993',
  severity: 'SEVERITY_HIGH',
  occurredAt: '2026-01-02T03:04:05Z',
  took: '1.500s',
  place: { country: 'DE', latitude: 1.5, longitude: 2 },
  reason: 'why',
  changed: 'eventId,place',
  extra: { a: [1, null, 'b'] },
  limit: '7',
  rank: 0,
};

describe('the reflection service for Node', () => {
  it('describes a method well enough', async () => {
    const running = await feed((call) => call.send(eventBytes({ eventId: 'a', sequence: 1n })), {
      raw: reflected,
      extend: described('stream.proto', { keepCase: true }),
    });
    expect(texts(await running.take(1))).toEqual([eventJson({ eventId: 'a', sequence: 1n })]);
  });

  it.each([{ keepCase: true, defaults: true, oneofs: true }, {}])(
    'describes nested, imported and well-known types well enough, loaded with %j',
    async (options) => {
      const raw = { ...reflected, ...rich };
      const request = { 'grpc.request.message': '{"since": "2026-01-01T00:00:00Z", "places": {"a": {}}}' };
      const bytes = messageBytes('teststream.RichEvent', richEvent);
      const server = { service: rich['grpc.service.name'], method: rich['grpc.method.name'] };
      const running = await feed((call) => call.send(bytes), {
        ...server,
        raw: { ...raw, ...request },
        extend: described('rich.proto', options),
      });
      expect(JSON.parse(texts(await running.take(1))[0] ?? '')).toMatchObject(richEvent);
      expect(messageJson('teststream.WatchRequest', (await running.server.call(0)).request)).toEqual({
        since: '2026-01-01T00:00:00Z',
        places: { a: {} },
      });
    },
  );

  it('is said to be at fault where its description cannot be completed', async () => {
    const legacy = { service: 'teststream.legacy.LegacyService', method: 'Follow' };
    const server = await serve(() => undefined, { ...legacy, extend: described('legacy.proto') });
    const names = { 'grpc.service.name': legacy.service, 'grpc.method.name': legacy.method };
    const running = await runTask(server.port, { raw: { ...reflected, ...names } });
    await expect(running.task.poll()).rejects.toMatchObject({
      code: 'config_invalid',
      retriable: false,
      message: expect.stringMatching(
        /^Invalid proto descriptor: .*; the server describes itself wrongly or in part, configure grpc\.proto\.descriptor$/,
      ),
    });
  });
});
