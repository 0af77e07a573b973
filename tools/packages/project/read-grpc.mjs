import { deepEqual, equal } from 'node:assert/strict';
import { createServer } from 'node:http2';
import { create, createFileRegistry, toBinary } from '@bufbuild/protobuf';
import { FieldDescriptorProto_Type, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** `service Words { rpc Say(Word) returns (stream Word); }` with `message Word { string text = 1; }`. */
const words = create(FileDescriptorSetSchema, {
  file: [
    {
      name: 'words.proto',
      package: 'words',
      syntax: 'proto3',
      messageType: [
        {
          name: 'Word',
          field: [{ name: 'text', number: 1, type: FieldDescriptorProto_Type.STRING, jsonName: 'text' }],
        },
      ],
      service: [
        {
          name: 'Words',
          method: [
            { name: 'Say', inputType: '.words.Word', outputType: '.words.Word', serverStreaming: true },
          ],
        },
      ],
    },
  ],
});
const texts = ['one', 'two', 'three'];
const messages = texts.map((text) => Buffer.concat([Buffer.from([0x0a, text.length]), Buffer.from(text)]));
const jsons = texts.map((text) => JSON.stringify({ text }));

/** Reads three messages from a server on loopback through the packed packages, then lets everything close. */
export async function readGrpc(grpcSource, wireToJson) {
  const toJson = wireToJson(createFileRegistry(words).getMessage('words.Word'));
  equal(Buffer.from(toJson.convert(messages[0])).toString(), jsons[0]);

  const server = createServer();
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    for (const message of messages) {
      const head = Buffer.alloc(5);
      head.writeUInt32BE(message.length, 1);
      stream.write(Buffer.concat([head, message]));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  const descriptor = Buffer.from(toBinary(FileDescriptorSetSchema, words)).toString('base64');
  const options = {
    host: '127.0.0.1',
    port,
    service: 'words.Words',
    method: 'Say',
    descriptor,
    topic: 'words',
  };
  deepEqual(await three(grpcSource(options)), jsons);
  const config = {
    'grpc.server.host': '127.0.0.1',
    'grpc.server.port': String(port),
    'grpc.service.name': 'words.Words',
    'grpc.method.name': 'Say',
    'grpc.proto.descriptor': descriptor,
    'platform.topic': 'words',
  };
  deepEqual(await three(grpcSource.fromConfig(config)), jsons);
  server.close();
}

async function three(source) {
  const values = [];
  for await (const record of source) {
    values.push(record.value);
    if (values.length === 3) break;
  }
  return values;
}
