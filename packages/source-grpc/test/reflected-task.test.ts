import { toBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { type Server, type ServerDuplexStream, status } from '@grpc/grpc-js';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes, testFiles } from '@levada/test-peers/grpc';
import { describe, expect, it, onTestFinished } from 'vitest';
import { feed, fieldsOf, runTask, serve } from './feed.ts';
import { filesAnswer, startReflectionServer } from './reflection-server.ts';
import { texts } from './running-task.ts';

const reflected = { 'grpc.proto.descriptor': null };

const raw = (bytes: Buffer): Buffer => bytes;
const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const codec = {
  requestSerialize: raw,
  requestDeserialize: raw,
  responseSerialize: raw,
  responseDeserialize: raw,
};
const definition = { Info: { path, requestStream: true, responseStream: true, ...codec } } as const;

/** Adds reflection that answers every question with these files. */
function describing(files: () => readonly FileDescriptorProto[]) {
  return (server: Server): void => {
    const converse = (call: ServerDuplexStream<Buffer, Buffer>): void => {
      const bytes = files().map((file) => toBinary(FileDescriptorProtoSchema, file));
      call.on('data', () => call.write(Buffer.from(filesAnswer(bytes))));
      call.on('end', () => call.end()).on('error', () => undefined);
    };
    server.addService(definition, { Info: converse });
  };
}

/** The file of the smallest service, in which the field `payload` has another name. */
function renamed(name: string): FileDescriptorProto {
  const file = testFiles().get('teststream/stream.proto');
  if (file === undefined) throw new Error('teststream/stream.proto is not in the fixture');
  for (const message of file.messageType)
    for (const field of message.field) if (field.number === 4) Object.assign(field, { name, jsonName: name });
  return file;
}

describe('a task without a descriptor', () => {
  it('asks the server for it at each connection, and reads each message by what held when it came', async () => {
    const names = ['payload', 'content'];
    let asked = 0;
    const running = await feed((call, index) => call.send(eventBytes({ payload: `m${index}` })), {
      raw: reflected,
      extend: describing(() => {
        asked += 1;
        return [renamed(names[asked - 1] ?? '')];
      }),
    });
    await running.server.call(0);
    await waitFor(() => running.metrics.read('QueueSize') === 1);
    running.server.kill();
    await running.server.listen();
    await running.server.call(1);
    await waitFor(() => running.metrics.read('QueueSize') === 2);
    const documents = texts(await running.take(2)).map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(documents).toEqual([
      expect.objectContaining({ payload: 'm0' }),
      expect.objectContaining({ content: 'm1' }),
    ]);
    expect(fieldsOf(running, 'descriptor_by_reflection')).toMatchObject([{ files: 1 }, { files: 1 }]);
  });

  it('fails when the server has no reflection', async () => {
    const server = await serve(() => undefined);
    const running = await runTask(server.port, { raw: reflected });
    await expect(running.task.poll()).rejects.toMatchObject({
      retriable: false,
      message:
        'Invalid proto descriptor: grpc.proto.descriptor is not set, and the server offers no reflection',
    });
    expect(server.calls).toHaveLength(0);
  });

  it('asks a server without reflection again, when that is not to fail it', async () => {
    const { port } = await serve(() => undefined);
    const running = await runTask(port, { raw: { ...reflected, 'grpc.fail.on.status': '' } });
    await running.logged('connection_failed', 2);
    expect(fieldsOf(running, 'connection_failed')[0]?.['error_message']).toMatch(
      /: grpc\.proto\.descriptor is not set, and the server offers no reflection$/,
    );
  });

  it('reports the status with which the server refused reflection', async () => {
    const server = await startReflectionServer({
      files: [],
      versions: ['v1'],
      answer: () => ({ code: status.PERMISSION_DENIED }),
    });
    onTestFinished(() => server.close());
    const running = await runTask(server.port, { raw: reflected });
    await running.logged('connection_failed');
    expect(fieldsOf(running, 'connection_failed')[0]).toMatchObject({
      status_code: 'PERMISSION_DENIED',
      error_message: `127.0.0.1:${server.port}: 7 PERMISSION_DENIED: as scripted`,
    });
    expect(running.metrics.read('PermanentErrors')).toBeGreaterThan(0);
  });

  it('fails when the method is not server-streaming, or the request is wrong', async () => {
    const { port } = await serve(() => undefined, { extend: describing(() => [renamed('payload')]) });
    const unary = await runTask(port, { raw: { ...reflected, 'grpc.method.name': 'GetEvent' } });
    await expect(unary.task.poll()).rejects.toThrow(/server.streaming/);
    const wrong = await runTask(port, { raw: { ...reflected, 'grpc.request.message': '{"fliter":""}' } });
    await expect(wrong.task.poll()).rejects.toThrow('did you mean "filter"');
  });
});
