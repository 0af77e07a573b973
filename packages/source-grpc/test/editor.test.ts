import { fileURLToPath } from 'node:url';
import { describeOptionsInEditor, describeReadmeInEditor, openEditor } from '@levada/test-peers/editor';
import { describe, expect, it } from 'vitest';
import { grpcSourceConnector } from '../src/index.ts';

const folder = new URL('../', import.meta.url);

describeReadmeInEditor(folder);
describeOptionsInEditor({
  folder,
  packageName: '@levada/source-grpc',
  factory: 'grpcSource',
  optionsType: 'GrpcOptions',
  keys: grpcSourceConnector.config.keys,
  ownOptions: ['transport'],
});

describe('a gRPC source in an editor', () => {
  const editor = openEditor(fileURLToPath(folder));
  const start = `import { grpcSource } from '@levada/source-grpc';
import { TestStreamService } from './test/gen/stream_pb.js';
const at = { host: 'feed.example', port: 443, topic: 'events', method: TestStreamService.method.streamEvents };
`;

  it('offers the fields of the request and of the messages of a method of generated code', () => {
    const options =
      "host: 'feed.example', port: 443, topic: 'events', method: TestStreamService.method.streamEvents";
    const request = editor.completions(`${start}grpcSource({ ${options}, request: { | } });`);
    expect(request).toEqual(expect.arrayContaining(['filter', 'intervalMs']));
    const fields = ['$typeName', 'eventId', 'eventType', 'payload', 'sequence', 'timestamp'];
    const loops = [
      'for await (const { value } of grpcSource(at)) value.|',
      'for await (const [record] of grpcSource(at).limit(9).batches()) record?.value.|',
    ];
    for (const loop of loops)
      expect(editor.completions(start + loop)).toEqual(expect.arrayContaining(fields));
  });

  it('offers the attributes of its status, and what can be read of it', () => {
    const attributes = editor.completions(`${start}grpcSource(at).status().|`);
    expect(attributes).toEqual(expect.arrayContaining(['DeadLetters', 'IsConnected', 'MessagesReceived']));
    const ways = ['batches', 'bytes', 'decode', 'json', 'limit', 'text', 'until'];
    expect(editor.completions(`${start}grpcSource(at).|`)).toEqual(expect.arrayContaining(ways));
    for (const way of ways) expect(editor.show(`${start}grpcSource(at).|`, way)?.documentation).not.toBe('');
  });
});
