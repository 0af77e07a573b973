import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { DELIMITED, type WireField, wireField } from './wire-field.ts';

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
  const fields = new Map(desc.fields.map((field) => [field.number, field]));
  const seen = new Map<DescField, number>();
  for (let at = from; at < bytes.length; ) {
    const found = wireField(bytes, at);
    const field = fields.get(found.number);
    const index = field === undefined ? 0 : (seen.get(field) ?? 0);
    if (at === position || found.end > position) {
      if (field === undefined || !isItsOwn(field, found)) return undefined;
      const name = field.fieldKind === 'list' ? `${field.name}[${index}]` : field.name;
      return { name, message: at === position ? undefined : field.message, from: found.body };
    }
    if (field !== undefined) seen.set(field, index + 1);
    at = found.end;
  }
  return undefined;
}

/** Whether messages come as such; other values may have other wire types and are no place to go on in. */
function isItsOwn(field: DescField, { wireType }: WireField): boolean {
  return field.message === undefined || wireType === DELIMITED;
}
