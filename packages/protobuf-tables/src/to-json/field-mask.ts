import { Kind } from '../plan/kinds.ts';
import { lenientText, strictText } from '../text/decoders.ts';
import { eachField } from './last-field.ts';
import { quoted } from './quoted.ts';
import { size } from './reader.ts';
import { NO_ROOM, refuse, run } from './run.ts';

const PATHS_TAG = 10;

/** Writes the google.protobuf.FieldMask whose bytes are those of all ranges: one text of paths in lowerCamelCase. */
export function fieldMask(ranges: readonly number[], q: number, depth: number): number {
  const paths: string[] = [];
  eachField(ranges, depth, (tag, from) => {
    if (tag === PATHS_TAG) paths.push(camelCase(textAt(from)));
  });
  const json = Buffer.from(JSON.stringify(paths.join(',')));
  if (q + json.length > run.limit) throw NO_ROOM;
  run.out.set(json, q);
  return q + json.length;
}

function textAt(from: number): string {
  const { src, tables, pos: behind } = run;
  const length = size(from, src.length);
  const bytes = src.subarray(run.pos, run.pos + length);
  run.pos = behind;
  if (tables.textKind === Kind.text) return lenientText(bytes);
  return strictText(bytes) ?? refuse('invalid UTF-8');
}

/** foo_bar -> fooBar, which must be possible to undo. */
function camelCase(path: string): string {
  const camel = path.replace(/_+([^_]?)/g, (_, letter: string) => letter.toUpperCase());
  const back = camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (back !== path)
    refuse(`google.protobuf.FieldMask with the path ${quoted(path)}, which has no lowerCamelCase form`);
  return camel;
}
