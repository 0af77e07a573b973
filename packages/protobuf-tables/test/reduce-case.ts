import type { DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { append, type Bytes, putVarint } from './wire-bytes.ts';

/** Whether a message still reproduces the problem. */
export type Shows = (wire: Uint8Array<ArrayBuffer>) => boolean;

/** Removes fields, including nested ones and map entries, while the message still reproduces the problem. */
export function reduceCase(
  wire: Uint8Array<ArrayBuffer>,
  desc: DescMessage,
  shows: Shows,
): Uint8Array<ArrayBuffer> {
  let best: Uint8Array<ArrayBuffer> = wire;
  for (let rounds = 0; rounds < 20; rounds += 1) {
    const before = best.length;
    best = withoutFields(best, desc, shows);
    if (best.length === before) break;
  }
  return best;
}

interface Piece {
  readonly number: number;
  /** Tag included. */
  readonly bytes: Uint8Array;
  /** Start of a length-delimited field's content in `bytes`; undefined for other fields. */
  readonly content: number | undefined;
}

function withoutFields(
  wire: Uint8Array,
  desc: DescMessage | undefined,
  shows: Shows,
): Uint8Array<ArrayBuffer> {
  let pieces = piecesOf(wire);
  for (let at = pieces.length - 1; at >= 0; at -= 1) {
    const fewer = pieces.toSpliced(at, 1);
    if (shows(joinPieces(fewer))) pieces = fewer;
  }
  for (const [at, piece] of pieces.entries()) {
    const field = desc?.fields.find(({ number }) => number === piece.number);
    if (piece.content === undefined || (field?.message === undefined && field?.fieldKind !== 'map')) continue;
    const inner = field.fieldKind === 'map' ? undefined : field.message;
    const around = (content: Uint8Array): Piece[] => pieces.with(at, withContent(piece, content));
    const content = withoutFields(piece.bytes.subarray(piece.content), inner, (less) =>
      shows(joinPieces(around(less))),
    );
    if (shows(joinPieces(around(content)))) pieces = around(content);
  }
  return joinPieces(pieces);
}

function withContent(piece: Piece, content: Uint8Array): Piece {
  const bytes: Bytes = [];
  putVarint(bytes, piece.number * 8 + WireType.LengthDelimited);
  putVarint(bytes, content.length);
  const start = bytes.length;
  append(bytes, content);
  return { number: piece.number, bytes: Uint8Array.from(bytes), content: start };
}

/** The fields of a message. An invalid rest is one piece. */
function piecesOf(wire: Uint8Array): Piece[] {
  const reader = new BinaryReader(wire);
  const pieces: Piece[] = [];
  let start = 0;
  try {
    while (reader.pos < reader.len) {
      start = reader.pos;
      const [number, wireType] = reader.tag();
      const data = reader.skip(wireType, number);
      const bytes = wire.subarray(start, reader.pos);
      const size = wireType === WireType.LengthDelimited ? new BinaryReader(data).bytes().length : undefined;
      pieces.push({ number, bytes, content: size === undefined ? undefined : bytes.length - size });
    }
  } catch {
    pieces.push({ number: 0, bytes: wire.subarray(start), content: undefined }); // damaged from here on
  }
  return pieces;
}

function joinPieces(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(pieces.reduce((size, { bytes }) => size + bytes.length, 0));
  let at = 0;
  for (const { bytes } of pieces) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}
