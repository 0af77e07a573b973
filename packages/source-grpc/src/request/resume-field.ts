import { type DescField, type DescMessage, type DescMethod, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { isSpecial } from './json-form.ts';
import { unknownField } from './unknown-field.ts';

/** The fields that a dotted name leads through, the last one included, or what is wrong with it. */
export function resumeField(method: DescMethod, name: string): readonly DescField[] | string {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = method.input;
  for (const part of name.split('.')) {
    if (message === undefined) return `${problemOf(name)}: ${fields.at(-1)?.name} has no fields`;
    const field: DescField | undefined = message.fields.find(
      (each) => each.name === part || each.jsonName === part,
    );
    if (field === undefined) return `${problemOf(name)}: ${unknownField(message, part)}`;
    fields.push(field);
    message = field.fieldKind === 'message' && !isSpecial(field.message) ? field.message : undefined;
  }
  const last = fields.at(-1);
  if (last !== undefined && takesText(last)) return fields;
  return `${problemOf(name)}: a single text, number, bytes, Timestamp or wrapper of those is expected`;
}

function problemOf(name: string): string {
  return `grpc.request.resume.field: ${name}`;
}

/** Whether the ProtoJSON of a field is text or a number. */
function takesText(field: DescField): boolean {
  if (field.fieldKind === 'scalar') return field.scalar !== ScalarType.BOOL;
  if (field.fieldKind !== 'message') return false;
  const [value] = field.message.fields;
  if (isWrapperDesc(field.message)) return value?.scalar !== ScalarType.BOOL;
  return field.message.typeName === 'google.protobuf.Timestamp';
}
