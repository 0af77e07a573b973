import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** A google.rpc.Status without details. */
export interface StatusMessage {
  readonly code: number;
  readonly message: string;
}

/** Reads the body of a refusal by its Content-Type; throws when it is anything but a Status. */
export function readStatus(contentType: string | undefined, body: Uint8Array): StatusMessage {
  if (contentType === 'application/json') return JSON.parse(Buffer.from(body).toString()) as StatusMessage;
  if (contentType !== 'application/x-protobuf') throw new Error(`Content-Type '${contentType}'`);
  const reader = new BinaryReader(body);
  let code = 0;
  let message = '';
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === 1 && type === WireType.Varint) code = reader.int32();
    else if (number === 2 && type === WireType.LengthDelimited) message = reader.string();
    else throw new Error(`field ${number}`);
  }
  return { code, message };
}
