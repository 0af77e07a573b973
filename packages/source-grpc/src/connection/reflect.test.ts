import { clearField, create, toBinary } from '@bufbuild/protobuf';
import { FieldDescriptorProtoSchema, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { status } from '@grpc/grpc-js';
import { isConnectorError, systemClock } from '@levada/connect-runtime-core';
import { printable } from '@levada/connect-runtime-core/source-kit';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { testFiles } from '@levada/test-peers/grpc';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type AnswerOf,
  errorAnswer,
  filesAnswer,
  type ReflectionServer,
  type ReflectionServerOptions,
  servicesAnswer,
  startReflectionServer,
} from '../../test/reflection-server.ts';
import { channelOptions } from '../../test/transport-call.ts';
import { findMethod } from '../descriptor/find-method.ts';
import type { GrpcStatus } from '../model/grpc-status.ts';
import type { Channel } from '../transport/channel.ts';
import { openChannel } from '../transport/open-channel.ts';
import { type ReflectOptions, reflect } from './reflect.ts';

const opened: { readonly server: ReflectionServer; readonly channel: Channel }[] = [];
afterEach(async () => {
  for (const { server, channel } of opened.splice(0)) {
    await channel.close();
    server.close();
  }
});

async function connected(options: Partial<ReflectionServerOptions> = {}) {
  const files = options.files ?? testFiles().values();
  const server = await startReflectionServer({ versions: ['v1'], ...options, files });
  const channel = await openChannel(channelOptions(server.port));
  opened.push({ server, channel });
  return { server, channel };
}

const options: ReflectOptions = {
  service: 'teststream.RichService',
  metadata: [],
  clock: systemClock,
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  print: printable(['token-1234']),
  failOn: new Set(['UNIMPLEMENTED']),
};

/** Code, retriability and message of the rejection. */
async function rejection(answer: Promise<unknown>): Promise<readonly unknown[]> {
  const thrown: unknown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isConnectorError(thrown)) throw new Error('no ConnectorError', { cause: thrown });
  return [thrown.code, thrown.retriable, thrown.message];
}

const file = (name: string, dependency: string[] = []) =>
  toBinary(
    FileDescriptorProtoSchema,
    create(FileDescriptorProtoSchema, { name, dependency, syntax: 'proto3' }),
  );

describe('reflection', () => {
  it('asks for the service and then for its imports, each once', async () => {
    const { server, channel } = await connected();
    const registry = await reflect(channel, { ...options, metadata: [['x-key', 'value']] });
    expect(findMethod(registry, 'teststream.RichService', 'Watch').output.typeName).toBe(
      'teststream.RichEvent',
    );
    expect(registry.getMessage('google.protobuf.Any')).toBeDefined();
    const questions = server.asked.map(({ question }) => question);
    expect(questions[0]).toEqual(['symbol', 'teststream.RichService']);
    expect(
      questions
        .slice(1)
        .map(([kind, name]) => `${kind} ${name}`)
        .sort(),
    ).toEqual([
      'file google/protobuf/any.proto',
      'file google/protobuf/duration.proto',
      'file google/protobuf/field_mask.proto',
      'file google/protobuf/struct.proto',
      'file google/protobuf/timestamp.proto',
      'file google/protobuf/wrappers.proto',
      'file teststream/common.proto',
    ]);
    expect(server.metadata[0]?.get('x-key')).toEqual(['value']);
  });

  it('turns to v1alpha where v1 is not known', async () => {
    const { server, channel } = await connected({ versions: ['v1alpha'] });
    const registry = await reflect(channel, options);
    expect(registry.getService('teststream.RichService')).toBeDefined();
    expect(new Set(server.asked.map(({ version }) => version))).toEqual(new Set(['v1alpha']));
  });

  it('leaves no call open', async () => {
    const { server, channel } = await connected();
    await reflect(channel, options);
    await reflect(channel, options);
    expect(server.metadata).toHaveLength(2);
    await waitFor(() => server.open() === 0);
  });

  it('does without the files of protobuf itself', async () => {
    const files = [...testFiles().values()].filter(({ name }) => !name.startsWith('google/'));
    const { channel } = await connected({ files });
    const registry = await reflect(channel, options);
    expect(registry.getMessage('google.protobuf.Struct')).toBeDefined();
  });

  it('takes files that come together, with the same one several times', async () => {
    const all = [...testFiles().values()].map((each) => toBinary(FileDescriptorProtoSchema, each));
    const { server, channel } = await connected({ answer: () => filesAnswer([...all, ...all]) });
    const registry = await reflect(channel, options);
    expect([...registry.files]).toHaveLength(all.length);
    expect(server.asked).toHaveLength(1);
  });

  it('restores JSON names that servers leave out', async () => {
    const files = [...testFiles().values()];
    for (const { messageType } of files) {
      for (const field of messageType.flatMap((message) => message.field)) {
        clearField(field, FieldDescriptorProtoSchema.field.jsonName);
      }
    }
    const { channel } = await connected({ files });
    const registry = await reflect(channel, options);
    expect(registry.getMessage('teststream.RichEvent')?.fields[0]?.jsonName).toBe('eventId');
  });
});

describe('reflection fails for good', () => {
  it('fails permanently when the server has no reflection', async () => {
    const { channel } = await connected({ versions: [] });
    expect(await rejection(reflect(channel, options))).toEqual([
      'config_invalid',
      false,
      'Invalid proto descriptor: grpc.proto.descriptor is not set, and the server offers no reflection',
    ]);
  });

  it('fails permanently when the server does not know the service, and suggests a similar name', async () => {
    const { channel } = await connected();
    expect(await rejection(reflect(channel, { ...options, service: 'teststream.RichServices' }))).toEqual([
      'config_invalid',
      false,
      'Service not found in descriptor: teststream.RichServices, did you mean "teststream.RichService"?',
    ]);
  });

  it('fails permanently when the server does not know the service, and prints its names safely for a log', async () => {
    const name = `\u001b[31m.token-1234.${'x'.repeat(1000)}.Feed`;
    const { channel } = await connected({
      answer: ([kind]) => (kind === 'services' ? servicesAnswer([name, 'token-1234\n.Feed']) : undefined),
    });
    expect(await rejection(reflect(channel, { ...options, service: 'Feed' }))).toEqual([
      'config_invalid',
      false,
      'Service not found in descriptor: Feed, did you mean "***\\u000a.Feed"?',
    ]);
  });

  it('fails permanently when the server does not know the service and then ends the call', async () => {
    const { channel } = await connected({
      answer: ([kind]) => (kind === 'services' ? { code: status.INTERNAL } : undefined),
    });
    expect(await rejection(reflect(channel, { ...options, service: 'a.B' }))).toEqual([
      'config_invalid',
      false,
      'Service not found in descriptor: a.B',
    ]);
  });

  it.each<[string, () => Uint8Array, RegExp]>([
    [
      'an import is not described',
      () => filesAnswer([file('a.proto', ['gone.proto'])]),
      /^Invalid proto descriptor: file "gone\.proto", imported by "a\.proto", is not described by the server$/,
    ],
    [
      'files go in a circle',
      () => filesAnswer([file('a.proto', ['a.proto'])]),
      /"a\.proto" imports itself; the server describes itself wrongly or in part, configure grpc\.proto\.descriptor$/,
    ],
    [
      'a file is none',
      () => filesAnswer([Uint8Array.of(7)]),
      /^Invalid proto descriptor: an answer of the server is not/,
    ],
    [
      'files have no names',
      () => filesAnswer([file('')]),
      /^Invalid proto descriptor: a file has no valid name/,
    ],
    [
      'there are too many files',
      () =>
        filesAnswer([
          file(
            'a.proto',
            Array.from({ length: 10_000 }, (_, i) => `${i}.proto`),
          ),
        ]),
      /^Invalid proto descriptor: the server describes more than 10000 files$/,
    ],
    [
      'there are too many bytes',
      () => filesAnswer([new Uint8Array(17 * 1024 * 1024)]),
      /^Invalid proto descriptor: the server describes more than 16777216 bytes of files$/,
    ],
  ])('when %s', async (_, answer, message) => {
    const { channel } = await connected({
      answer: ([kind, text]) => (kind === 'symbol' ? answer() : errorAnswer(status.NOT_FOUND, text)),
    });
    expect(await rejection(reflect(channel, options))).toEqual([
      'config_invalid',
      false,
      expect.stringMatching(message),
    ]);
  });
});

describe('reflection may be tried again', () => {
  it('allows a retry when the server has no reflection and that is not a permanent failure', async () => {
    const { channel } = await connected({ versions: [] });
    expect(await rejection(reflect(channel, { ...options, failOn: new Set() }))).toEqual([
      'handshake_rejected',
      true,
      `${channel.peer}: grpc.proto.descriptor is not set, and the server offers no reflection`,
    ]);
  });

  it.each<[string, AnswerOf, string, RegExp]>([
    [
      'when the server refuses',
      () => ({ code: status.UNAUTHENTICATED }),
      'handshake_rejected',
      /^127\.0\.0\.1:\d+: 16 UNAUTHENTICATED: as scripted$/,
    ],
    ['when the server is busy', () => ({ code: status.UNAVAILABLE }), 'handshake_rejected', /14 UNAVAILABLE/],
    [
      'when the call ends early',
      () => ({ code: status.OK }),
      'protocol_error',
      /ended reflection before it answered$/,
    ],
    [
      'when the answer is an error',
      () => errorAnswer(13, `bad\nday ${'token-1234 '.repeat(10)}`),
      'protocol_error',
      /answered reflection with error 13 "bad\\u000aday (\*{3} ){10}"$/,
    ],
    [
      'when the answer is empty',
      () => new Uint8Array(),
      'protocol_error',
      /answered reflection with no file$/,
    ],
    [
      'when the answer is no message',
      () => Uint8Array.of(0x22, 0xff),
      'protocol_error',
      /answered reflection with what is no message of it$/,
    ],
  ])('rejects with what happened, %s', async (_, answer, code, message) => {
    const { channel } = await connected({ answer });
    expect(await rejection(reflect(channel, options))).toEqual([code, true, expect.stringMatching(message)]);
  });

  it('unless the status is one that fails the task', async () => {
    const { channel } = await connected({ answer: () => ({ code: status.PERMISSION_DENIED }) });
    const failOn = new Set(['PERMISSION_DENIED'] as const);
    const refusals: GrpcStatus[] = [];
    const onRefused = (status: GrpcStatus): void => void refusals.push(status);
    expect((await rejection(reflect(channel, { ...options, failOn, onRefused }))).slice(0, 2)).toEqual([
      'handshake_rejected',
      false,
    ]);
    expect(refusals).toEqual([{ code: 'PERMISSION_DENIED', message: 'as scripted', source: 'server' }]);
  });

  it('allows a retry of reflection when the connection is lost', async () => {
    const { server, channel } = await connected({ answer: () => 'silence' });
    const answer = rejection(reflect(channel, options));
    await waitFor(() => server.asked.length === 1);
    server.close();
    expect((await answer).slice(0, 2)).toEqual(['connection_lost', true]);
  });

  it.each([
    [5000, 5000],
    [0, 30_000],
  ])('when nothing is answered in time: %d', async (timeoutMs, limit) => {
    const { server, channel } = await connected({ answer: () => 'silence' });
    const clock = createManualClock();
    const answer = rejection(reflect(channel, { ...options, clock, timeoutMs }));
    await waitFor(() => server.asked.length === 1);
    await clock.advance(limit);
    expect(await answer).toEqual([
      'timeout',
      true,
      expect.stringMatching(new RegExp(`did not answer reflection within ${limit} ms$`)),
    ]);
  });

  it('ends cancelled reflection at once', async () => {
    const { server, channel } = await connected({ answer: () => 'silence' });
    const abort = new AbortController();
    const answer = rejection(reflect(channel, { ...options, signal: abort.signal }));
    await waitFor(() => server.asked.length === 1);
    abort.abort();
    expect(await answer).toEqual(['aborted', false, 'reflection was cancelled']);
    expect((await rejection(reflect(channel, { ...options, signal: abort.signal })))[0]).toBe('aborted');
  });
});
