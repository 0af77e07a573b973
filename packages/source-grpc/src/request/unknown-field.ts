import type { DescMessage } from '@bufbuild/protobuf';
import { nearest } from '@levada/connect-runtime-core/config';

/** That a message has no such field, and which it has that is near. */
export function unknownField(message: DescMessage, name: string): string {
  const near = nearest(
    name,
    message.fields.flatMap((field) => [field.name, field.jsonName]),
  );
  return `unknown field of ${message.typeName}${near === undefined ? '' : `, did you mean "${near}"?`}`;
}
