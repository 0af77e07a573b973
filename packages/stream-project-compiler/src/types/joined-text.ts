import type { SqlType, TextTypeName } from './sql-type.ts';

type TextType = Extract<SqlType, { readonly name: TextTypeName }>;

/** The type of two texts joined by `||`, as long as both together. Undefined for what is no text. */
export function joinedText(left: SqlType, right: SqlType): TextType | undefined {
  if (
    (left.name !== 'CHAR' && left.name !== 'VARCHAR') ||
    (right.name !== 'CHAR' && right.name !== 'VARCHAR')
  ) {
    return undefined;
  }
  const nullable = left.nullable || right.nullable;
  const limited = left.length !== undefined && right.length !== undefined;
  const length = limited ? left.length + right.length : undefined;
  const name = limited && left.name === 'CHAR' && right.name === 'CHAR' ? 'CHAR' : 'VARCHAR';
  return { name, length, nullable };
}
