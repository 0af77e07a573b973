import type { DescField, DescMessage } from '@bufbuild/protobuf';

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
    const tag = varint(bytes, at);
    const field = fields.get(Math.floor(tag.value / 8));
    const index = field === undefined ? 0 : (seen.get(field) ?? 0);
    const stop = valueEnd(bytes, tag);
    if (at === position || stop.end > position) {
      if (field === undefined || !isItsOwn(field, tag.value % 8)) return undefined;
      const name = field.fieldKind === 'list' ? `${field.name}[${index}]` : field.name;
      return { name, message: at === position ? undefined : field.message, from: stop.body };
    }
    if (field !== undefined) seen.set(field, index + 1);
    at = stop.end;
  }
  return undefined;
}

/** Whether messages come as such; other values may have other wire types and are no place to go on in. */
function isItsOwn(field: DescField, wireType: number): boolean {
  return field.message === undefined || wireType === 2;
}

interface Varint {
  readonly value: number;
  readonly end: number;
}

function varint(bytes: Uint8Array, at: number): Varint {
  let value = 0;
  let end = at;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[end++] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128 || end - at === 10) return { value, end };
  }
}

/** Where the value behind a tag begins, behind its length if it has one, and where it ends. */
function valueEnd(bytes: Uint8Array, tag: Varint): { readonly body: number; readonly end: number } {
  const at = tag.end;
  switch (tag.value % 8) {
    case 0:
      return { body: at, end: varint(bytes, at).end };
    case 1:
      return { body: at, end: at + 8 };
    case 5:
      return { body: at, end: at + 4 };
    case 2: {
      const size = varint(bytes, at);
      return { body: size.end, end: size.end + size.value };
    }
    default:
      return { body: at, end: groupEnd(bytes, tag) };
  }
}

function groupEnd(bytes: Uint8Array, start: Varint): number {
  let depth = 1;
  let at = start.end;
  while (at < bytes.length) {
    const tag = varint(bytes, at);
    const wireType = tag.value % 8;
    if (wireType === 3) depth++;
    if (wireType === 4) depth--;
    if (depth === 0) return tag.end;
    at = wireType === 3 || wireType === 4 ? tag.end : valueEnd(bytes, tag).end;
  }
  return bytes.length;
}
