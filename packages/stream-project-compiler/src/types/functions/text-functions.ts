import { commonType } from '../common-type.ts';
import { joinedText } from '../literal-type.ts';
import { array, map, plain, type SqlType, text, withNullable } from '../sql-type.ts';
import { always, functionTable, gives, like, type TypedCall } from './function-row.ts';

const STRING = text('VARCHAR');
const INT = plain('INT');
const BOOLEAN = plain('BOOLEAN');

/** Of `CHAR(n)` it is `VARCHAR(n)`: what is cut off may be shorter. */
function varying(index: number) {
  return ({ types, nullable }: TypedCall): SqlType | undefined => {
    const type = types[index];
    return type?.name === 'CHAR' ? text('VARCHAR', type.length, nullable) : withNullable(type, nullable);
  };
}

/** A part of the text, and null where there is none. */
function part(call: TypedCall): SqlType | undefined {
  return withNullable(varying(0)(call), true);
}

/** As long as both together at most. */
function overlaid({ types: [type, other], nullable }: TypedCall): SqlType | undefined {
  if (type === undefined || other === undefined) return undefined;
  const joined = joinedText(type, other);
  return joined === undefined ? withNullable(STRING, nullable) : text('VARCHAR', joined.length, nullable);
}

/** One of the texts, if there are so many. */
function oneOf({ types: [, ...texts] }: TypedCall): SqlType | undefined {
  const type = commonType(texts, 'arguments');
  return type === 'none' ? undefined : withNullable(type, true);
}

/** Functions over text. */
export const textFunctions = functionTable([
  ['UPPER LOWER INITCAP', ['text'], like(0)],
  ['CHAR_LENGTH CHARACTER_LENGTH', ['text'], gives(INT)],
  ['POSITION', ['text', 'text', 'integer?'], gives(INT)],
  ['OVERLAY', ['text-or-binary', 'text', 'integer', 'integer?'], overlaid],
  // The text comes last: TRIM(BOTH 'x' FROM a)
  ['TRIM', ['text', 'text?'], (call) => varying(call.types.length - 1)(call)],
  ['LTRIM RTRIM', ['text', 'text?'], varying(0)],
  ['BTRIM', ['text', 'text?'], gives(STRING)],
  ['SUBSTRING SUBSTR', ['text', 'integer', 'integer?'], part],
  ['LEFT RIGHT', ['text', 'integer'], part],
  ['CONCAT', ['text', 'text*'], gives(STRING)],
  ['CONCAT_WS', ['text', 'text*'], gives(STRING)],
  ['LPAD RPAD', ['text', 'integer', 'text'], gives(STRING)],
  ['REPEAT', ['text', 'integer'], gives(STRING)],
  ['REVERSE', ['text'], always(STRING)],
  ['REPLACE', ['text', 'text', 'text'], gives(STRING)],
  ['TRANSLATE', ['text', 'text', 'text'], ({ types: [type] }) => text('VARCHAR', undefined, type?.nullable)],
  ['SPLIT_INDEX', ['text', 'text-or-integer', 'integer'], always(STRING)],
  ['SPLIT', ['text', 'text'], gives(array(STRING))],
  ['STR_TO_MAP', ['text', 'text?', 'text?'], always(map(STRING, STRING))],
  ['REGEXP', ['text', 'text'], gives(BOOLEAN)],
  ['REGEXP_REPLACE', ['text', 'text', 'text'], gives(STRING)],
  ['REGEXP_EXTRACT', ['text', 'text', 'integer?'], always(STRING)],
  ['REGEXP_EXTRACT_ALL', ['text', 'text', 'integer?'], always(array(STRING))],
  ['REGEXP_COUNT REGEXP_INSTR', ['text', 'text'], always(INT)],
  ['REGEXP_SUBSTR', ['text', 'text'], always(STRING)],
  ['STARTSWITH ENDSWITH', ['text', 'text'], gives(BOOLEAN)],
  ['LOCATE', ['text', 'text', 'integer?'], gives(INT)],
  ['INSTR', ['text', 'text', 'integer?', 'integer?'], gives(INT)],
  ['ASCII', ['text'], gives(INT)],
  ['CHR', ['integer'], always(STRING)],
  ['ENCODE', ['text', 'text'], gives(text('VARBINARY'))],
  ['DECODE', ['binary', 'text'], gives(STRING)],
  ['TO_BASE64 FROM_BASE64', ['text-or-binary'], gives(STRING)],
  ['PARSE_URL', ['text', 'text', 'text?'], always(STRING)],
  ['URL_ENCODE URL_DECODE', ['text'], always(STRING)],
  ['PRINTF', ['text', 'any*'], always(STRING)],
  ['ELT', ['integer', 'text', 'text*'], oneOf],
  ['UUID', [], always(text('CHAR', 36, false))],
  ['IS_DECIMAL IS_DIGIT IS_ALPHA', ['text-or-number'], always(plain('BOOLEAN', false))],
]);

/** Functions that make a digest or another writing of a value. */
export const digestFunctions = functionTable([
  ['MD5', ['text-or-binary'], gives(text('CHAR', 32))],
  ['SHA1', ['text-or-binary'], gives(text('CHAR', 40))],
  ['SHA224', ['text-or-binary'], gives(text('CHAR', 56))],
  ['SHA256', ['text-or-binary'], gives(text('CHAR', 64))],
  ['SHA384', ['text-or-binary'], gives(text('CHAR', 96))],
  ['SHA512', ['text-or-binary'], gives(text('CHAR', 128))],
  ['SHA2', ['text-or-binary', 'integer'], gives(text('VARCHAR', 128))],
  ['HASH_CODE', ['hashable'], gives(INT)],
  ['HEX', ['text-or-integer'], gives(STRING)],
  ['UNHEX', ['text'], always(text('VARBINARY'))],
  ['BIN', ['integer'], gives(STRING)],
]);
