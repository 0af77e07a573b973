import { BinaryReader } from '@bufbuild/protobuf/wire';

/** Seconds of google.rpc.RetryInfo in a google.rpc.Status; throws unless that is the one detail of it. */
export function retryDelay(status: Uint8Array): number {
  const any = bytesOf(status, 3);
  const type = Buffer.from(bytesOf(any, 1)).toString();
  if (type !== 'type.googleapis.com/google.rpc.RetryInfo') throw new Error(`detail of type "${type}"`);
  const duration = new BinaryReader(bytesOf(bytesOf(any, 2), 1));
  let seconds = 0;
  while (duration.pos < duration.len) {
    const [number] = duration.tag();
    seconds += number === 1 ? Number(duration.int64()) : duration.int32() / 1e9;
  }
  return seconds;
}

function bytesOf(message: Uint8Array, wanted: number): Uint8Array {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === wanted) return reader.bytes();
    reader.skip(type, number);
  }
  throw new Error(`field ${wanted} is missing`);
}
