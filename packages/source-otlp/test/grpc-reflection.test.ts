import { execFile } from 'node:child_process';
import { constants } from 'node:http2';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import {
  create,
  createFileRegistry,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { type ClientDuplexStream, Metadata, type StatusObject } from '@grpc/grpc-js';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { dataFrame, exportHeaders, frameOf, opening, prefixed, rawClient } from '@levada/test-peers/http2';
import { exportRequest, grpcClient, http2Session } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { signals } from '../src/model/signals.ts';
import { refuse } from '../src/receive/admission/export-outcome.ts';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';
import { describeOverServers } from './http2-servers.ts';

const versions = ['v1', 'v1alpha'] as const;
type Version = (typeof versions)[number];
const schema = otlpSchema();

interface Answer {
  readonly originalRequest: JsonValue;
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly string[] };
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly errorResponse?: { readonly errorCode: number; readonly errorMessage: string };
}

interface Dialogue {
  readonly stream: ClientDuplexStream<Buffer, Buffer>;
  readonly answers: Answer[];
  readonly end: Promise<StatusObject>;
  readonly ask: (question: JsonValue) => Promise<Answer>;
}

function dialogue(
  { raw }: ReturnType<typeof grpcClient>,
  version: Version = 'v1',
  metadata = new Metadata(),
): Dialogue {
  const [request, response] = ['Request', 'Response'].map((kind) =>
    schema.message(`grpc.reflection.${version}.ServerReflection${kind}`),
  ) as [ReturnType<typeof schema.message>, ReturnType<typeof schema.message>];
  const bytes = (value: Buffer): Buffer => value;
  const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const stream = raw.makeBidiStreamRequest(path, bytes, bytes, metadata);
  const answers: Answer[] = [];
  stream.on('data', (message: Buffer) => {
    answers.push(toJson(response, fromBinary(response, message)) as unknown as Answer);
  });
  stream.on('error', () => undefined);
  const end = new Promise<StatusObject>((resolve) => void stream.on('status', resolve));
  return {
    stream,
    answers,
    end,
    ask: async (question) => {
      const count = answers.length;
      stream.write(Buffer.from(toBinary(request, fromJson(request, question))));
      return waitFor(() => answers[count]);
    },
  };
}

function filesOf({ fileDescriptorResponse }: Answer) {
  return (fileDescriptorResponse?.fileDescriptorProto ?? []).map((file) =>
    fromBinary(FileDescriptorProtoSchema, Buffer.from(file, 'base64')),
  );
}

describeOverServers('reflection', (server) => {
  describe.each(versions)('%s', (version) => {
    it('the receiver lists the services of the signals that are offered, and no others', async () => {
      const { port } = await openedReceiver(scriptedIntake(), { http2: server });
      const question = { host: 'a', listServices: '*' };
      const answer = await dialogue(grpcClient(port), version).ask(question);
      expect(answer.originalRequest).toEqual(question);
      expect(answer.listServicesResponse).toEqual({
        service: [signals.traces, signals.metrics, signals.logs].map(({ service }) => ({ name: service })),
      });
      const one = await openedReceiver(scriptedIntake(), { http2: server, signals: new Set(['profiles']) });
      expect(await dialogue(grpcClient(one.port), version).ask({ listServices: '' })).toMatchObject({
        listServicesResponse: { service: [{ name: signals.profiles.service }] },
      });
    });

    it('the receiver returns the file of a symbol with all its imports in one answer', async () => {
      const { port } = await openedReceiver(scriptedIntake(), { http2: server });
      const { ask } = dialogue(grpcClient(port), version);
      const { service, request } = signals.traces;
      for (const symbol of [
        service,
        `${service}.Export`,
        request,
        'opentelemetry.proto.trace.v1.Span.Event',
      ]) {
        const file = filesOf(await ask({ fileContainingSymbol: symbol })).toReversed();
        const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
        const found = symbol.endsWith('.Export') ? registry.getService(service) : registry.get(symbol);
        expect(found).toBeDefined();
      }
    });

    it('the receiver returns the original files by name', async () => {
      const { port } = await openedReceiver(scriptedIntake(), { http2: server });
      const { ask } = dialogue(grpcClient(port), version);
      for (const { name, bytes } of schema.files()) {
        const answer = await ask({ fileByFilename: name });
        expect(answer.fileDescriptorResponse?.fileDescriptorProto[0]).toBe(
          Buffer.from(bytes).toString('base64'),
        );
      }
    });

    it('the receiver answers unknown files, symbols and extensions with NOT_FOUND, and stays open', async () => {
      const { port } = await openedReceiver(scriptedIntake(), { http2: server });
      const { ask, stream, end } = dialogue(grpcClient(port), version);
      const questions: readonly JsonValue[] = [
        { fileByFilename: 'no/such.proto' },
        { fileContainingSymbol: '__proto__' },
        { fileContainingExtension: { containingType: signals.traces.request, extensionNumber: 5 } },
        { allExtensionNumbersOfType: signals.traces.request },
      ];
      for (const question of questions) expect((await ask(question)).errorResponse?.errorCode).toBe(5);
      stream.end();
      expect(await end).toMatchObject({ code: 0 });
    });
  });
});

describeOverServers('a reflection call', (server) => {
  it('the receiver requires the same credentials for reflection as for an export', async () => {
    const intake = scriptedIntake({
      admit: ({ authorization }) =>
        authorization === 'Bearer abc' ? undefined : refuse('unauthenticated', 'wrong token'),
    });
    const { port } = await openedReceiver(intake, { http2: server });
    const client = grpcClient(port);
    expect(await dialogue(client).end).toMatchObject({ code: 16, details: 'wrong token' });
    const metadata = new Metadata();
    metadata.set('authorization', 'Bearer abc');
    expect(
      (await dialogue(client, 'v1', metadata).ask({ listServices: '' })).listServicesResponse,
    ).toBeDefined();
    expect(intake).toMatchObject({ open: 0, taken: [] });
  });

  it('the receiver ends a reflection call after thirty seconds without a question', async () => {
    const clock = createManualClock();
    const { port } = await openedReceiver(scriptedIntake(), { http2: server, clock });
    const { ask, end, answers } = dialogue(grpcClient(port));
    await ask({ listServices: '' });
    await clock.advance(20_000);
    await ask({ listServices: '' });
    await clock.advance(29_000);
    expect(await ask({ listServices: '' })).toBeDefined();
    await clock.advance(31_000);
    expect(await end).toMatchObject({ code: 4 });
    expect(answers.length).toBe(3);
  });

  it.each([
    ['no question', Buffer.alloc(0), 3],
    ['no message', Buffer.of(0x0a, 0x05), 3],
    ['a message that is too long', Buffer.alloc(20_000), 8],
  ])('the receiver ends a reflection call with %s', async (_what, message, code) => {
    const { port } = await openedReceiver(scriptedIntake(), { http2: server });
    const { stream, end } = dialogue(grpcClient(port));
    stream.write(message);
    expect(await end).toMatchObject({ code });
  });

  it('the receiver ends the reflection call of a client that asks without reading', async () => {
    const { port } = await openedReceiver(scriptedIntake(), { http2: server });
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    const stream = http2Session(port).request(exportRequest({ ':path': path }));
    const closed = new Promise((resolve) => void stream.on('close', () => resolve(stream.rstCode)));
    stream.on('error', () => undefined);
    const { service } = signals.metrics;
    const question = prefixed(Buffer.concat([Buffer.of(0x22, service.length), Buffer.from(service)]));
    for (let count = 0; count < 500; count += 1) stream.write(question);
    expect(await closed).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });

  it('the receiver ends the reflection call of a client that asks more at once than it can have read, whatever windows it grants', async () => {
    const { port } = await openedReceiver(scriptedIntake(), { http2: server });
    const client = rawClient(port);
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    const { service } = signals.metrics;
    const question = prefixed(Buffer.concat([Buffer.of(0x22, service.length), Buffer.from(service)]));
    const questions = Buffer.concat(Array.from({ length: 200 }, () => question));
    const wide = Buffer.alloc(4);
    wide.writeUInt32BE(2 ** 30);
    client.write(
      opening,
      exportHeaders(1, { ':path': path }),
      frameOf('windowUpdate', { payload: wide }),
      frameOf('windowUpdate', { streamId: 1, payload: wide }),
      dataFrame(1, questions),
    );
    expect((await client.frame('reset', 1)).payload.readUInt32BE(0)).toBe(11);
    const answered = client.of('data').reduce((sum, { payload }) => sum + payload.length, 0);
    expect(answered).toBeLessThan(300 * 1024);
  });

  it('the receiver ends reflection calls with UNAVAILABLE when the receiver stops', async () => {
    const receiver = await openedReceiver(scriptedIntake(), { http2: server });
    const { ask, end } = dialogue(grpcClient(receiver.port));
    await ask({ listServices: '' });
    await receiver.close({ graceMs: 60_000 });
    expect(await end).toMatchObject({ code: 14 });
  });

  it('the receiver answers buf curl', async () => {
    const { port } = await openedReceiver(scriptedIntake(), { http2: server });
    const buf = createRequire(import.meta.url).resolve('@bufbuild/buf/bin/buf');
    const args = [
      'curl',
      '--protocol',
      'grpc',
      '--http2-prior-knowledge',
      '--list-methods',
      `http://127.0.0.1:${port}`,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [buf, ...args]);
    expect(stdout.trim().split('\n').toSorted()).toEqual([
      'opentelemetry.proto.collector.logs.v1.LogsService/Export',
      'opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
      'opentelemetry.proto.collector.trace.v1.TraceService/Export',
    ]);
  });
});
