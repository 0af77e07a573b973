import type { KeyFormat } from '@levada/stream-project-schema';
import type { SqlType } from '../../types/sql-type.ts';

/** How record keys are written. `none`: records have no key. `text`: the key is the plain value of one column, and a null is no key. */
export type RecordKeyFormat = 'none' | 'text' | KeyFormat;

/**
 * The format of keys, by the types of their columns: a key of one text is plain text, which other clients write too; any other is
 * JSON, unless the project says a format.
 */
export function keyFormatOf(
  types: readonly (SqlType | undefined)[],
  said: KeyFormat | undefined,
): RecordKeyFormat {
  if (types.length === 0) return 'none';
  if (said !== undefined) return said;
  const [first] = types.map((type) => type?.name);
  const isText = first === 'VARCHAR' || first === 'CHAR' || first === 'VARBINARY';
  return types.length === 1 && isText ? 'text' : 'json';
}
