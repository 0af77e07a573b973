import { toBinary } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { type Metadata, Server, ServerCredentials, type ServerDuplexStream, status } from '@grpc/grpc-js';

/** One question as the server saw it: what was asked for, and the text of it. */
export type Asked = readonly [kind: 'file' | 'symbol' | 'services' | 'other', text: string];

/** A gRPC server on loopback that describes itself. */
export interface ReflectionServer {
  readonly port: number;
  /** All questions so far, in order, by version. */
  readonly asked: readonly { readonly version: string; readonly question: Asked }[];
  /** Metadata of each call. */
  readonly metadata: readonly Metadata[];
  /** Calls that are open now. */
  readonly open: () => number;
  readonly close: () => void;
}

/** A response in place of the usual one: its wire bytes, nothing at all, or a status that ends the call. */
export type AnswerOf = (question: Asked) => Uint8Array | 'silence' | { readonly code: status } | undefined;

/** How the server answers. */
export interface ReflectionServerOptions {
  readonly files: Iterable<FileDescriptorProto>;
  /** Versions that it offers. */
  readonly versions: readonly ('v1' | 'v1alpha')[];
  readonly answer?: AnswerOf | undefined;
}

const kinds = new Map<number, Asked[0]>([
  [3, 'file'],
  [4, 'symbol'],
  [7, 'services'],
]);

/** Starts one. It answers each question with one file alone, so that imports have to be asked for. */
export async function startReflectionServer(options: ReflectionServerOptions): Promise<ReflectionServer> {
  const asked: { version: string; question: Asked }[] = [];
  const metadata: Metadata[] = [];
  const live = new Set<object>();
  const files = [...options.files];
  const server = new Server();
  for (const version of options.versions) {
    const converse = (call: ServerDuplexStream<Buffer, Buffer>): void => {
      metadata.push(call.metadata);
      live.add(call);
      const over = (): void => void live.delete(call);
      call.on('cancelled', over).on('finish', over);
      call.on('error', () => {}); // a client that went away
      call.on('data', (request: Buffer) => {
        const question = decodeQuestion(request);
        asked.push({ version, question });
        const answer = options.answer?.(question) ?? usualAnswer(question, files);
        if (answer === 'silence') return;
        if ('code' in answer) call.emit('error', { code: answer.code, details: 'as scripted' });
        else call.write(Buffer.from(answer));
      });
      call.on('end', () => call.end());
    };
    server.addService(definition(version), { ServerReflectionInfo: converse });
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { port, asked, metadata, open: () => live.size, close: () => server.forceShutdown() };
}

/** A response with files. */
export function filesAnswer(files: readonly Uint8Array[]): Uint8Array {
  const writer = new BinaryWriter().tag(4, WireType.LengthDelimited).fork();
  for (const file of files) writer.tag(1, WireType.LengthDelimited).bytes(file);
  return writer.join().finish();
}

/** A response that is an error. */
export function errorAnswer(code: number, message: string): Uint8Array {
  const writer = new BinaryWriter().tag(7, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).int32(code).tag(2, WireType.LengthDelimited).string(message);
  return writer.join().finish();
}

function usualAnswer([kind, text]: Asked, files: readonly FileDescriptorProto[]): Uint8Array {
  if (kind === 'services') return servicesAnswer(files.flatMap(servicesOf));
  const file = files.find((each) => (kind === 'file' ? each.name === text : servicesOf(each).includes(text)));
  if (file === undefined) return errorAnswer(status.NOT_FOUND, `${text} not found`);
  return filesAnswer([toBinary(FileDescriptorProtoSchema, file)]);
}

/** A response with names of services. */
export function servicesAnswer(names: readonly string[]): Uint8Array {
  const writer = new BinaryWriter().tag(6, WireType.LengthDelimited).fork();
  for (const name of names) {
    writer.tag(1, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string(name).join();
  }
  return writer.join().finish();
}

function servicesOf(file: FileDescriptorProto): readonly string[] {
  return file.service.map(({ name }) => (file.package === '' ? name : `${file.package}.${name}`));
}

function decodeQuestion(bytes: Uint8Array): Asked {
  let question: Asked = ['other', ''];
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number] = reader.tag();
    question = [kinds.get(number) ?? 'other', reader.string()];
  }
  return question;
}

const raw = (bytes: Buffer): Buffer => bytes;

function definition(version: string) {
  return {
    ServerReflectionInfo: {
      path: `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      requestStream: true,
      responseStream: true,
      requestSerialize: raw,
      requestDeserialize: raw,
      responseSerialize: raw,
      responseDeserialize: raw,
    },
  } as const;
}
