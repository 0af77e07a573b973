import { create, type DescMessage, type FileRegistry, ScalarType } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { messageOf, protoText } from './proto-text.ts';
import { registryOf } from './random-schema.ts';
import { type RandomSource, randomSource } from './random-source.ts';
import { putRandomScalar } from './random-values.ts';
import { append, type Bytes, EGROUP, LEN, putTag, putVarint, SGROUP, VARINT } from './wire-bytes.ts';

/** A schema with one field for each kind of repetition. */
export const NODES = protoText(`
syntax = "proto3";
package nodes;
import "google/protobuf/struct.proto";
import "google/protobuf/any.proto";
message Node {
  Node next = 1;
  repeated Node all = 2;
  map<string, Node> named = 3;
  google.protobuf.Value value = 4;
  google.protobuf.Any any = 5;
  string text = 6;
  repeated int32 numbers = 7;
  map<int64, string> counted = 8;
  google.protobuf.Struct fields = 9;
  oneof either { string left = 10; string right = 11; }
  repeated bool flags = 12;
  repeated double reals = 13;
  repeated float singles = 14;
  bytes raw = 15;
}
message Small { repeated Small all = 1; }
`);

/** A recursive group, which only proto2 and editions have. */
const GROUPS = registryOf(
  create(FileDescriptorProtoSchema, {
    name: 'groups.proto',
    package: 'nodes',
    syntax: 'proto2',
    messageType: [
      {
        name: 'Group',
        field: [
          {
            name: 'all',
            number: 1,
            label: Label.REPEATED,
            type: Type.GROUP,
            typeName: '.nodes.Group',
            jsonName: 'all',
          },
          { name: 'x', number: 2, label: Label.OPTIONAL, type: Type.INT32, jsonName: 'x' },
        ],
      },
    ],
  }),
);

/** A field with its content. */
function field(number: number, content: ArrayLike<number>): Bytes {
  const out: Bytes = [];
  putTag(out, number, LEN);
  putVarint(out, content.length);
  append(out, content);
  return out;
}

/** A varint field. */
function small(number: number, value: number): Bytes {
  const out: Bytes = [];
  putTag(out, number, VARINT);
  putVarint(out, value);
  return out;
}

function text(value: string): Uint8Array {
  return Buffer.from(value);
}

/** Repeats the piece until the message is `size` bytes long. */
function fill(size: number, piece: (index: number) => ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  let at = 0;
  for (let index = 0; ; index += 1) {
    const bytes = piece(index);
    if (at + bytes.length > size) return out.subarray(0, at);
    out.set(Array.from(bytes), at);
    at += bytes.length;
  }
}

export interface Flood {
  readonly name: string;
  readonly desc: DescMessage;
  readonly registry: FileRegistry;
  readonly wire: Uint8Array<ArrayBuffer>;
}

/** The most expensive messages of about `size` bytes, one for each cause of cost. */
export function floods(size: number): Flood[] {
  const random = randomSource(1);
  const wholeFlood = (name: string, wire: Uint8Array<ArrayBuffer>): Flood => {
    return { name, desc: messageOf(NODES, 'nodes.Node'), registry: NODES, wire };
  };
  const node = (name: string, piece: (index: number) => ArrayLike<number>): Flood =>
    wholeFlood(name, fill(size, piece));
  const groupFlood = (name: string, piece: (index: number) => ArrayLike<number>): Flood => {
    const desc = messageOf(GROUPS, 'nodes.Group');
    return { name, desc, registry: GROUPS, wire: fill(size, piece) };
  };
  const inOne = (name: string, number: number, content: (room: number) => ArrayLike<number>): Flood => {
    return wholeFlood(name, Uint8Array.from(field(number, content(size - 8))));
  };
  const entry = (key: string): Bytes => field(1, text(key));
  return [
    node('map of distinct keys', (index) => field(3, entry(String(index)))),
    node('map of one key', () => field(3, entry('k'))),
    node('map of two keys in turn', (index) => field(3, entry(index % 2 === 0 ? 'a' : 'b'))),
    node('map of integers, descending', (index) => field(8, small(1, 2 ** 30 - index))),
    node('map entries with key and value swapped', (index) =>
      field(3, [...field(2, []), ...entry(String(index))]),
    ),
    node('a message in pieces', (index) => field(1, small(7, index % 100))),
    node('a message in pieces, itself in pieces', () => field(1, field(1, field(1, small(7, 1))))),
    node('a deep message in pieces', () => nest(60, small(7, 1))),
    node('two fields in turn', (index) => field(index % 2 === 0 ? 7 : 6, [5])),
    node('fields in descending order', (index) =>
      index % 8 === 0 ? field(10, text('x')) : small(12 - (index % 2) * 5, 1),
    ),
    node('members of a oneof in turn', (index) => field(10 + (index % 2), text('abc'))),
    node('one string again and again', () => field(6, text('abcdefgh'))),
    node('unknown fields', (index) => small(20 + (index % 1000), index)),
    node('unknown groups, one after the other', () => group(50)),
    node('empty messages', () => field(2, [])),
    node('struct of distinct keys', (index) =>
      field(9, field(1, [...entry(String(index)), ...field(2, small(4, 1))])),
    ),
    node('value set again and again', (index) => field(4, field(3, text(`v${index}`)))),
    node('any set again and again', () => field(5, field(1, text('nodes.Small')))),
    inOne('packed integers of one byte', 7, (room) => new Uint8Array(room).fill(1)),
    inOne('packed integers of ten bytes', 7, (room) =>
      fill(room, () => [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
    ),
    inOne('packed booleans', 12, (room) => new Uint8Array(room).fill(1)),
    inOne('packed doubles', 13, (room) => fill(room, () => scalar(ScalarType.DOUBLE, random))),
    inOne('packed floats', 14, (room) => fill(room, () => scalar(ScalarType.FLOAT, random))),
    inOne('control characters', 6, (room) => new Uint8Array(room).fill(1)),
    inOne('quotes', 6, (room) => new Uint8Array(room).fill(34)),
    inOne('characters of four bytes', 6, (room) => fill(room, () => text('😀'))),
    inOne('bytes', 15, (room) => new Uint8Array(room).fill(255)),
    wholeFlood('open groups', new Uint8Array(size).fill(0x0b)),
    groupFlood('groups inside each other', () => groups(1, 90)),
    groupFlood('groups inside each other, out of order', () => [...small(2, 1), ...groups(1, 90)]),
    {
      ...groupFlood('wide groups inside each other', () => small(2, 1)),
      wire: Uint8Array.from([
        ...groups(1, 60).slice(0, 60),
        ...fill(size - 120, () => small(2, 1)),
        ...groups(1, 60).slice(60),
      ]),
    },
    groupFlood('unknown groups inside each other', () => groups(3, 90)),
  ];
}

function nest(depth: number, content: Bytes): Bytes {
  let bytes = content;
  for (let level = 0; level < depth; level += 1) bytes = field(1, bytes);
  return bytes;
}

function group(number: number): Bytes {
  return groups(number, 1);
}

function groups(number: number, depth: number): Bytes {
  const out: Bytes = [];
  for (let level = 0; level < depth; level += 1) putTag(out, number, SGROUP);
  for (let level = 0; level < depth; level += 1) putTag(out, number, EGROUP);
  return out;
}

function scalar(type: ScalarType, random: RandomSource): Bytes {
  const out: Bytes = [];
  putRandomScalar(out, type, random, { longVarints: false, invalidText: false });
  return out;
}
