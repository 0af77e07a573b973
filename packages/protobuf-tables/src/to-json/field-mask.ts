import { Kind } from '../plan/kinds.ts';
import { lenientText, quoteText, strictText } from '../text/decoders.ts';
import { refuse, size } from '../wire/reader.ts';
import { NO_ROOM } from '../wire/writer.ts';
import { eachField } from './field-rows.ts';
import type { Run } from './run.ts';

export const PATHS_TAG = 10;

/** Writes the google.protobuf.FieldMask whose bytes are i .. end: the paths in lowerCamelCase in one string. */
export function fieldMask(run: Run, i: number, end: number, q: number, depth: number): number {
  const paths: string[] = [];
  eachField(run, [i, end], depth, (tag, from) => {
    if (tag === PATHS_TAG) paths.push(camelCase(run, textAt(run, from)));
  });
  const json = Buffer.from(JSON.stringify(paths.join(',')));
  if (q + json.length > run.limit) throw NO_ROOM;
  run.out.set(json, q);
  return q + json.length;
}

function textAt(run: Run, from: number): string {
  const { src, tables } = run;
  const length = size(run, from, src.length);
  const bytes = src.subarray(run.pos, run.pos + length);
  if (tables.textKind === Kind.text) return lenientText(bytes);
  return strictText(bytes) ?? refuse(run, 'invalid UTF-8');
}

/** foo_bar -> fooBar. The conversion must be reversible. */
function camelCase(run: Run, path: string): string {
  const camel = path.replace(/_+([^_]?)/g, (_, letter: string) => letter.toUpperCase());
  const back = camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (back !== path)
    refuse(
      run,
      `google.protobuf.FieldMask with the path ${quoteText(path)}, which has no lowerCamelCase form`,
    );
  return camel;
}
