import type { DataType, RowTypeField, ScalarTypeName } from '../tree/data-type.ts';
import { parseList } from './lists.ts';
import { parseIntervalQualifier, parseNumbers } from './parse-interval.ts';
import { parseName, parseTableName } from './parse-names.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses a type. Nullability is part of a nested type only: `ARRAY<INT NOT NULL>`. */
export function parseDataType(cursor: TokenCursor): DataType {
  return cursor.parseNested(() => {
    const { start } = cursor.token;
    let type = parseSimpleType(cursor);
    for (;;) {
      const collection = cursor.takeOneOf(['ARRAY', 'MULTISET']);
      if (collection === undefined) return type;
      type = {
        kind: 'type',
        type: collection,
        element: type,
        nullable: undefined,
        start,
        end: cursor.lastEnd,
      };
      cursor.grow();
    }
  });
}

/** Parses a type with an optional `NOT NULL` or `NULL` after it. */
export function parseNullableType(cursor: TokenCursor): DataType {
  const type = parseDataType(cursor);
  if (cursor.takeWords('NOT', 'NULL')) return { ...type, nullable: false, end: cursor.lastEnd };
  return cursor.takeWords('NULL') ? { ...type, nullable: true, end: cursor.lastEnd } : type;
}

function parseSimpleType(cursor: TokenCursor): DataType {
  const { token } = cursor;
  const { start } = token;
  const keyword = token.kind === 'word' ? token.keyword : '';
  if (keyword === 'ROW' || (keyword === 'STRUCTURED' && cursor.atSymbol('<', 1))) return parseRowType(cursor);
  if (keyword === 'INTERVAL') {
    cursor.advance();
    const qualifier = parseIntervalQualifier(cursor);
    return { kind: 'type', type: 'INTERVAL', qualifier, nullable: undefined, start, end: cursor.lastEnd };
  }
  if (keyword === 'RAW') return parseRaw(cursor);
  if (cursor.atSymbol('<', 1) && (keyword === 'ARRAY' || keyword === 'MULTISET' || keyword === 'MAP')) {
    return parseCollectionType(cursor, keyword);
  }
  return parseScalarType(cursor) ?? parseNamedType(cursor);
}

function parseCollectionType(cursor: TokenCursor, keyword: 'ARRAY' | 'MULTISET' | 'MAP'): DataType {
  const { start } = cursor.advance();
  cursor.takeSymbol('<');
  const first = parseNullableType(cursor);
  if (keyword !== 'MAP') {
    cursor.expectSymbol('>');
    return { kind: 'type', type: keyword, element: first, nullable: undefined, start, end: cursor.lastEnd };
  }
  cursor.expectSymbol(',');
  const value = parseNullableType(cursor);
  cursor.expectSymbol('>');
  return { kind: 'type', type: 'MAP', key: first, value, nullable: undefined, start, end: cursor.lastEnd };
}

/** `ROW<a INT>`, `ROW(a INT)`, `STRUCTURED<'class', a INT>` */
function parseRowType(cursor: TokenCursor): DataType {
  const { start, value } = cursor.advance();
  const type = value.toUpperCase() === 'ROW' ? 'ROW' : 'STRUCTURED';
  const fields = cursor.takeSymbol('<>') ? [] : parseFields(cursor);
  return { kind: 'type', type, fields, nullable: undefined, start, end: cursor.lastEnd };
}

function parseFields(cursor: TokenCursor): RowTypeField[] {
  const close = cursor.takeSymbol('<') ? '>' : ')';
  if (close === ')' && !cursor.expectSymbol('(')) return [];
  if (cursor.token.kind === 'string') {
    cursor.advance();
    if (!cursor.takeSymbol(',')) {
      cursor.expectSymbol(close);
      return [];
    }
  }
  const fields = cursor.atSymbol(close) ? [] : parseList(cursor, () => parseField(cursor));
  cursor.expectSymbol(close);
  return fields;
}

function parseField(cursor: TokenCursor): RowTypeField {
  const { start } = cursor.token;
  const name = parseName(cursor, 'the name of a field');
  const type = parseNullableType(cursor);
  // A comment on the field
  if (cursor.token.kind === 'string') cursor.advance();
  return { kind: 'row-type-field', name, type, start, end: cursor.lastEnd };
}

/** `RAW('class', 'snapshot')` */
function parseRaw(cursor: TokenCursor): DataType {
  const { start } = cursor.advance();
  cursor.expectSymbol('(');
  for (const separator of [',', ')']) {
    if (cursor.token.kind === 'string') cursor.advance();
    else cursor.fail('a string');
    cursor.expectSymbol(separator);
  }
  return { kind: 'type', type: 'RAW', path: [], nullable: undefined, start, end: cursor.lastEnd };
}

function parseScalarType(cursor: TokenCursor): DataType | undefined {
  const { start } = cursor.token;
  const row = scalarTypes.find(({ words }) => cursor.takeWords(...words.split(' ')));
  if (row === undefined) return undefined;
  if (row.parameters === 0 && cursor.atSymbol('(')) {
    cursor.fail('a type without a length', row.type === 'STRING' ? 'write VARCHAR(n)' : undefined);
  }
  const open = cursor.token;
  const parameters = parseNumbers(cursor);
  if (row.parameters > 0 && parameters.length > row.parameters) {
    const message = `type ${row.type} with ${parameters.length} numbers, at most ${row.parameters} were expected`;
    cursor.warnOf({ code: 'sql-syntax', message, start: open.start, end: cursor.lastEnd });
  }
  const name = parseZone(cursor, row.type);
  if (row.type === 'CHAR' || row.type === 'VARCHAR') parseCharacterSet(cursor);
  return { kind: 'type', type: name, parameters, nullable: undefined, start, end: cursor.lastEnd };
}

function parseZone(cursor: TokenCursor, type: ScalarTypeName): ScalarTypeName {
  if (type !== 'TIMESTAMP' && type !== 'TIME') return type;
  if (cursor.takeWords('WITHOUT', 'TIME', 'ZONE')) return type;
  if (cursor.takeWords('WITH', 'LOCAL', 'TIME', 'ZONE')) return type === 'TIMESTAMP' ? 'TIMESTAMP_LTZ' : type;
  if (cursor.atWords('WITH', 'TIME', 'ZONE')) {
    const { start, end } = cursor.token;
    cursor.takeWords('WITH', 'TIME', 'ZONE');
    cursor.warnOf({
      code: 'sql-type',
      message: `type "${type} WITH TIME ZONE", which the engine does not have`,
      hint: 'write TIMESTAMP(3) WITH LOCAL TIME ZONE or TIMESTAMP_LTZ(3)',
      start,
      end,
    });
  }
  return type;
}

function parseCharacterSet(cursor: TokenCursor): void {
  if (cursor.takeWords('CHARACTER', 'SET')) parseName(cursor, 'a character set');
}

/** A type of the catalog, or of another dialect. */
function parseNamedType(cursor: TokenCursor): DataType {
  const { token } = cursor;
  const { start, end } = token;
  const keyword = token.kind === 'word' ? token.keyword : '';
  const foreign = foreignTypes.get(keyword);
  if (foreign !== undefined && !cursor.atSymbol('.', 1)) {
    cursor.warnOf({
      code: 'sql-type',
      message: `type "${token.value}", which the engine does not have`,
      hint: `write ${foreign}`,
      ...(/^[A-Z()\d]+$/.test(foreign) ? { fix: foreign } : {}),
      start,
      end,
    });
    cursor.advance();
    if (cursor.atSymbol('(')) parseNumbers(cursor);
    if (cursor.atSymbol('<')) parseFields(cursor);
    return { kind: 'type', type: 'NAMED', path: [], nullable: undefined, start, end: cursor.lastEnd };
  }
  if (token.kind !== 'word' && token.kind !== 'quoted') {
    cursor.fail('a type');
    return { kind: 'type', type: 'NAMED', path: [], nullable: undefined, start, end: start };
  }
  const name = parseTableName(cursor);
  const path = name.kind === 'table-name' ? name.path : [];
  return { kind: 'type', type: 'NAMED', path, nullable: undefined, start, end: cursor.lastEnd };
}

interface ScalarRow {
  /** Upper case. Longer spellings come first. */
  readonly words: string;
  readonly type: ScalarTypeName;
  /** Maximum number of numbers in parentheses. */
  readonly parameters: 0 | 1 | 2;
}

/** The engine's scalar types with their synonyms. */
const scalarTypes: readonly ScalarRow[] = [
  { words: 'CHARACTER VARYING', type: 'VARCHAR', parameters: 1 },
  { words: 'CHAR VARYING', type: 'VARCHAR', parameters: 1 },
  { words: 'BINARY VARYING', type: 'VARBINARY', parameters: 1 },
  { words: 'DOUBLE PRECISION', type: 'DOUBLE', parameters: 0 },
  { words: 'BIGINT', type: 'BIGINT', parameters: 0 },
  { words: 'BINARY', type: 'BINARY', parameters: 1 },
  { words: 'BOOLEAN', type: 'BOOLEAN', parameters: 0 },
  { words: 'BYTES', type: 'BYTES', parameters: 0 },
  { words: 'CHARACTER', type: 'CHAR', parameters: 1 },
  { words: 'CHAR', type: 'CHAR', parameters: 1 },
  { words: 'DATE', type: 'DATE', parameters: 0 },
  { words: 'DECIMAL', type: 'DECIMAL', parameters: 2 },
  { words: 'DEC', type: 'DECIMAL', parameters: 2 },
  { words: 'DOUBLE', type: 'DOUBLE', parameters: 0 },
  { words: 'FLOAT', type: 'FLOAT', parameters: 0 },
  { words: 'INTEGER', type: 'INT', parameters: 0 },
  { words: 'INT', type: 'INT', parameters: 0 },
  { words: 'NUMERIC', type: 'DECIMAL', parameters: 2 },
  { words: 'SMALLINT', type: 'SMALLINT', parameters: 0 },
  { words: 'STRING', type: 'STRING', parameters: 0 },
  { words: 'TIMESTAMP_LTZ', type: 'TIMESTAMP_LTZ', parameters: 1 },
  { words: 'TIMESTAMP', type: 'TIMESTAMP', parameters: 1 },
  { words: 'TIME', type: 'TIME', parameters: 1 },
  { words: 'TINYINT', type: 'TINYINT', parameters: 0 },
  { words: 'VARBINARY', type: 'VARBINARY', parameters: 1 },
  { words: 'VARCHAR', type: 'VARCHAR', parameters: 1 },
  { words: 'VARIANT', type: 'VARIANT', parameters: 0 },
];

/** Types of other dialects, and the engine's equivalent. */
const foreignTypes: ReadonlyMap<string, string> = new Map([
  ['ANY', 'the type itself'],
  ['BLOB', 'BYTES'],
  ['BOOL', 'BOOLEAN'],
  ['CLOB', 'STRING'],
  ['DATETIME', 'TIMESTAMP(3)'],
  ['FLOAT64', 'DOUBLE'],
  ['GEOMETRY', 'STRING'],
  ['INT64', 'BIGINT'],
  ['JSON', 'STRING'],
  ['LONG', 'BIGINT'],
  ['NCHAR', 'CHAR'],
  ['NUMBER', 'DECIMAL(p, s)'],
  ['REAL', 'FLOAT'],
  ['SHORT', 'SMALLINT'],
  ['STRUCT', 'ROW<...>'],
  ['TEXT', 'STRING'],
  ['UUID', 'STRING'],
]);
