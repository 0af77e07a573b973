import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';

/** JSON forms of well-known types that are not written as objects of their fields. */
const special: ReadonlyMap<string, string> = new Map([
  ['google.protobuf.Timestamp', 'a time such as "2001-02-03T04:05:06.789Z"'],
  ['google.protobuf.Duration', 'a duration such as "1.5s"'],
  ['google.protobuf.FieldMask', 'paths in lowerCamelCase with commas between'],
  ['google.protobuf.Struct', 'an object'],
  ['google.protobuf.Value', 'any JSON value'],
  ['google.protobuf.ListValue', 'an array'],
  ['google.protobuf.Any', 'an object with "@type", the URL of a type in the descriptor'],
]);

/** The JSON form of each scalar type. */
const scalars: Readonly<Record<ScalarType, string>> = {
  [ScalarType.DOUBLE]: 'a number',
  [ScalarType.FLOAT]: 'a number',
  [ScalarType.INT64]: 'a 64-bit integer',
  [ScalarType.SFIXED64]: 'a 64-bit integer',
  [ScalarType.SINT64]: 'a 64-bit integer',
  [ScalarType.UINT64]: 'an unsigned 64-bit integer',
  [ScalarType.FIXED64]: 'an unsigned 64-bit integer',
  [ScalarType.INT32]: 'a 32-bit integer',
  [ScalarType.SFIXED32]: 'a 32-bit integer',
  [ScalarType.SINT32]: 'a 32-bit integer',
  [ScalarType.UINT32]: 'an unsigned 32-bit integer',
  [ScalarType.FIXED32]: 'an unsigned 32-bit integer',
  [ScalarType.BOOL]: 'true or false',
  [ScalarType.STRING]: 'text',
  [ScalarType.BYTES]: 'bytes in base64',
};

/** Whether a message has a JSON form of its own. */
export function isSpecial(message: DescMessage): boolean {
  return special.has(message.typeName) || isWrapperDesc(message);
}

/** What the JSON of a field must be; of a list or map, of one of its values. */
export function expectedOf(field: DescField): string {
  if (field.scalar !== undefined) return `expected ${scalars[field.scalar]}`;
  if (field.enum !== undefined) return `expected a value of ${field.enum.typeName}`;
  const [value] = field.message?.fields ?? [];
  if (field.message !== undefined && isWrapperDesc(field.message) && value !== undefined)
    return expectedOf(value);
  return expectedJson(field.message?.typeName ?? '');
}

/** The JSON form that a message must have. */
export function expectedJson(typeName: string): string {
  return `expected ${special.get(typeName) ?? 'an object'}`;
}
