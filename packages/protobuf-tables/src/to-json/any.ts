import { quoteText } from '../text/decoders.ts';
import { putAscii } from '../text/doubles.ts';
import { refuse, size } from '../wire/reader.ts';
import { NO_ROOM } from '../wire/writer.ts';
import { lastField } from './field-rows.ts';
import { type Run, useTables } from './run.ts';
import { body, value } from './value.ts';

/** Tags of the type URL and of the message. */
export const ANY_URL_TAG = 10;
export const ANY_VALUE_TAG = 18;

/**
 * Writes the google.protobuf.Any whose bytes are i .. end: the fields of the message, then its type. A message with its own JSON
 * form is under the key "value".
 */
export function any(run: Run, i: number, end: number, q: number, depth: number): number {
  if (q > run.limit) throw NO_ROOM;
  const { out } = run;
  const url = lastField(run, ANY_URL_TAG, [i, end], depth);
  const typeName = url === -1 ? '' : nameIn(run, url);
  if (typeName === '') return putAscii(out, '{}', q);
  const content = lastField(run, ANY_VALUE_TAG, [i, end], depth);
  const length = content === -1 ? 0 : size(run, content, run.src.length);
  const from = content === -1 ? 0 : run.pos;
  q = inner(run, typeName, from, from + length, q, depth);
  if (q > run.limit) throw NO_ROOM;
  q = putAscii(out, '"@type":', q);
  q = value(run, run.tables.textKind, 0, url, run.src.length, q, depth);
  out[q] = 125;
  return q + 1;
}

/** Writes the message up to the comma after it. */
function inner(run: Run, typeName: string, from: number, to: number, q: number, depth: number): number {
  const { tables, out } = run;
  const used = tables.resolve(typeName);
  if (used === undefined)
    refuse(run, `google.protobuf.Any of type ${quoteText(typeName)}, which the registry does not have`);
  if (used.hasOwnForm) q = putAscii(out, '{"value":', q);
  useTables(run, used);
  q = body(run, used.rootKind, used.rootSub, from, to, q, depth);
  useTables(run, tables);
  if (!used.hasOwnForm && out[q - 2] === 123) return q - 1;
  if (used.hasOwnForm) q++;
  out[q - 1] = 44;
  return q;
}

/** The type name, after the last slash of the URL at `url`; empty if the URL is. */
export function nameIn(run: Run, url: number): string {
  const length = size(run, url, run.src.length);
  const text = run.src.toString('latin1', run.pos, run.pos + length);
  const name = text.slice(text.lastIndexOf('/') + 1);
  if (length > 0 && name === '') refuse(run, 'google.protobuf.Any whose type URL has no name');
  return name;
}
