import { putAscii } from '../text/doubles.ts';
import { body } from './body.ts';
import { lastField } from './last-field.ts';
import { quoted } from './quoted.ts';
import { size } from './reader.ts';
import { NO_ROOM, refuse, run, useTables } from './run.ts';
import { value } from './value.ts';

const URL_TAG = 10;
const VALUE_TAG = 18;

/**
 * Writes the google.protobuf.Any whose bytes are those of all ranges: the message inside with its type behind its fields,
 * or, if it has a JSON form of its own, that behind the key "value".
 */
export function any(ranges: readonly number[], q: number, depth: number): number {
  if (q > run.limit) throw NO_ROOM;
  const { out } = run;
  const url = lastField(URL_TAG, ranges, depth);
  const typeName = url === -1 ? '' : nameIn(url);
  if (typeName === '') return putAscii(out, '{}', q);
  const content = lastField(VALUE_TAG, ranges, depth);
  const length = content === -1 ? 0 : size(content, run.src.length);
  const from = content === -1 ? 0 : run.pos;
  q = inner(typeName, from, from + length, q, depth);
  if (q > run.limit) throw NO_ROOM;
  q = putAscii(out, '"@type":', q);
  q = value(run.tables.textKind, 0, url, run.src.length, q, depth);
  out[q] = 125;
  return q + 1;
}

/** Writes the message inside up to the comma behind it. */
function inner(typeName: string, from: number, to: number, q: number, depth: number): number {
  const { tables, out } = run;
  const used = tables.resolve(typeName);
  if (used === undefined)
    refuse(`google.protobuf.Any of type ${quoted(typeName)}, which the registry does not have`);
  if (used.hasOwnForm) q = putAscii(out, '{"value":', q);
  useTables(used);
  q = body(used.rootKind, used.rootSub, from, to, q, depth);
  useTables(tables);
  if (!used.hasOwnForm && out[q - 2] === 123) return q - 1;
  if (used.hasOwnForm) q++;
  out[q - 1] = 44;
  return q;
}

/** The type's name, behind the last slash of the URL at `url`; empty if the URL is. */
function nameIn(url: number): string {
  const length = size(url, run.src.length);
  const text = run.src.toString('latin1', run.pos, run.pos + length);
  const name = text.slice(text.lastIndexOf('/') + 1);
  if (length > 0 && name === '') refuse('google.protobuf.Any whose type URL has no name');
  return name;
}
