import type { DescMessage } from '@bufbuild/protobuf';
import { DELIMITED, nextField, type WireCursor, wireCursor } from './wire-field.ts';

/** Longest path that is given in full. */
const MAX_LENGTH = 200;

/**
 * Where in a message the field is whose tag is at `position`, e.g. `resource_spans[0].scope_spans[1].schema_url`; where the
 * message is that holds it if the field is unknown. What comes before the tag must be valid.
 */
export function pathTo(desc: DescMessage, bytes: Uint8Array, position: number): string {
  const path: string[] = [];
  let inside: DescMessage | undefined = desc;
  let from = 0;
  while (inside !== undefined) {
    const step: Step | undefined = stepTo(inside, bytes, { from, position });
    if (step === undefined) break;
    path.push(step.name);
    inside = step.message;
    from = step.from;
  }
  const text = path.join('.');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}

interface Step {
  readonly name: string;
  /** The message to go on in, and where it begins, if the position is inside. */
  readonly message: DescMessage | undefined;
  readonly from: number;
}

interface Place {
  readonly from: number;
  readonly position: number;
}

function stepTo(desc: DescMessage, bytes: Uint8Array, { from, position }: Place): Step | undefined {
  const cursor = wireCursor(bytes, from);
  while (nextField(cursor)) {
    if (cursor.at !== position && cursor.end <= position) continue;
    const { at, number, wireType, body } = cursor;
    const field = desc.fields.find((each) => each.number === number);
    // messages come with a length; what comes otherwise is unknown
    if (field === undefined || (field.message !== undefined && wireType !== DELIMITED)) return undefined;
    const name =
      field.fieldKind === 'list' ? `${field.name}[${countBefore(bytes, from, cursor)}]` : field.name;
    return { name, message: at === position ? undefined : field.message, from: body };
  }
  return undefined;
}

/** How often the field comes before. */
function countBefore(bytes: Uint8Array, from: number, { at, number }: WireCursor): number {
  const cursor = wireCursor(bytes, from);
  let count = 0;
  while (nextField(cursor) && cursor.at < at) if (cursor.number === number) count++;
  return count;
}
