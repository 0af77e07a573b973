import { plain, text, withNullable } from '../make-type.ts';
import type { SqlType } from '../sql-type.ts';
import { typeOfDataType } from '../type-of-data-type.ts';
import { always, functionTable, gives, type TypedCall } from './function-row.ts';

const STRING = text('VARCHAR');

/** What RETURNING says, or a string. */
function returned({ node }: TypedCall): SqlType | undefined {
  const written = node.json?.returning;
  return written === undefined ? STRING : withNullable(typeOfDataType(written), true);
}

/** Functions over JSON in strings. */
export const jsonFunctions = functionTable([
  ['JSON_VALUE JSON_QUERY', ['any', 'text'], returned],
  ['JSON_EXISTS', ['text', 'text'], always(plain('BOOLEAN'))],
  ['JSON_OBJECT JSON_ARRAY', ['json*'], always(text('VARCHAR', undefined, false))],
  ['JSON_QUOTE JSON_UNQUOTE', ['text'], gives(STRING)],
  ['JSON_STRING', ['json'], gives(STRING)],
  ['JSON', ['text'], () => undefined],
  ['PARSE_JSON', ['text', 'condition?'], gives(plain('VARIANT'))],
  ['TRY_PARSE_JSON', ['text', 'condition?'], always(plain('VARIANT'))],
]);
