import { plain, type SqlType, text, withNullable } from '../sql-type.ts';
import { typeOfDataType } from '../type-of-data-type.ts';
import { always, functionTable, gives, type Refusal, type TypedCall } from './function-row.ts';

const STRING = text('VARCHAR');

/** The type of RETURNING, or a string. */
function returned({ node }: TypedCall): SqlType | undefined {
  const written = node.json?.returning;
  return written === undefined ? STRING : withNullable(typeOfDataType(written), true);
}

const SCALARS: ReadonlySet<SqlType['name']> = new Set(['BOOLEAN', 'INT', 'DOUBLE', 'VARCHAR']);

function returnedValue(call: TypedCall): SqlType | Refusal | undefined {
  const type = returned(call);
  if (type === undefined || SCALARS.has(type.name)) return type;
  return {
    expected: 'expected RETURNING of BOOLEAN, INTEGER, DOUBLE or STRING',
    hint: 'write CAST around the call for other types',
  };
}

/** Functions over JSON in strings. */
export const jsonFunctions = functionTable([
  ['JSON_VALUE', ['any', 'text'], returnedValue],
  ['JSON_QUERY', ['any', 'text'], returned],
  ['JSON_EXISTS', ['text', 'text'], always(plain('BOOLEAN'))],
  ['JSON_OBJECT JSON_ARRAY', ['json*'], always(text('VARCHAR', undefined, false))],
  ['JSON_QUOTE JSON_UNQUOTE', ['text'], gives(STRING)],
  ['JSON_STRING', ['json'], gives(STRING)],
  ['JSON', ['text'], () => undefined],
  ['PARSE_JSON', ['text', 'condition?'], gives(plain('VARIANT'))],
  ['TRY_PARSE_JSON', ['text', 'condition?'], always(plain('VARIANT'))],
]);
