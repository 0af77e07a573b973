// The least that receives a gRPC stream, with `node:http2` and as little of gRPC as that takes. Arguments: port, path of the method,
// and for a program that converts what it receives to JSON and stores it the address of a broker, a topic, the file with the
// descriptor set and the name of the message; otherwise it forgets everything. Answers `count` with the number received or stored.
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { createInterface } from 'node:readline';
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { wireToJson } from '@levada/protobuf-tables';
import { LeastProducer } from './least-producer.ts';

const [port, path = '', bootstrap, topic = '', descriptors = '', message = ''] = process.argv.slice(2);
const WINDOW = 4 * 1_048_576;
/** Length of what is before each message: a flag and the length. */
const PREFIX = 5;
/** Values are written one after the other into blocks of this size. */
const BLOCK = 1_048_576;

let received = 0;
const producer = bootstrap === undefined ? undefined : await LeastProducer.open(bootstrap, topic);
const take = producer === undefined ? () => undefined : storing(producer);

const session = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: WINDOW } });
await new Promise((resolve, reject) => session.once('connect', resolve).once('error', reject));
session.setLocalWindowSize(2 * WINDOW);
const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
const stream = session.request(headers, { endStream: false });
stream.end(Buffer.alloc(PREFIX));
let rest: Buffer = Buffer.alloc(0);
stream.on('data', (chunk: Buffer) => {
  const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
  let at = 0;
  while (data.length - at >= PREFIX) {
    const end = at + PREFIX + data.readUInt32BE(at + 1);
    if (end > data.length) break;
    received += 1;
    take(data.subarray(at + PREFIX, end));
    at = end;
  }
  rest = data.subarray(at);
});
process.stdout.write('ready\n');
createInterface({ input: process.stdin })
  .on('line', () => process.stdout.write(`${producer?.stored ?? received}\n`))
  .on('close', () => process.exit());

/** Converts a message and hands it on. */
function storing(log: LeastProducer): (data: Uint8Array) => void {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(descriptors)));
  const type = registry.getMessage(message);
  if (type === undefined) throw new Error(`the descriptor set has no message "${message}"`);
  const converter = wireToJson(type, { registry });
  let [block, used] = [Buffer.allocUnsafeSlow(BLOCK), 0];
  return (data) => {
    let end = converter.write(data, block, used);
    if (end < 0) {
      [block, used] = [Buffer.allocUnsafeSlow(BLOCK), 0];
      end = converter.write(data, block, used);
    }
    if (end < 0) throw new Error(`a message takes more than ${BLOCK} bytes as JSON`);
    log.offer(block.subarray(used, end), stream);
    used = end;
  };
}
