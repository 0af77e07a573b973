import type { typeCodes } from '../src/types/type-codes.ts';

type TypeCodeName = keyof typeof typeCodes;

/** Columns of the fixtures. */
export const typeCodeColumns =
  'id STRING, qty INT, price DECIMAL(10, 2), paid BOOLEAN, ts TIMESTAMP(3), z TIMESTAMP_LTZ(3), ms BIGINT, dt DATE, tags ARRAY<STRING>, m MAP<STRING, INT>';

/** An expression, the place that the mistake is reported at, and what is said. */
export interface TypeFixture {
  readonly expression: string;
  readonly at: string;
  readonly message: string;
  readonly hint?: string;
}

/** For every code what makes it, at least once. */
export const typeFixtures: Readonly<Record<TypeCodeName, readonly TypeFixture[]>> = {
  'type-mismatch': [
    {
      expression: 'CASE WHEN id = 1 THEN 1 END',
      at: 'id = 1',
      message: 'STRING compared with INT by "=", expected types that can be compared',
      hint: 'write CAST(... AS INT) on the left, or quotes on the right',
    },
    {
      expression: "qty <> '1'",
      at: "qty <> '1'",
      message: 'INT compared with STRING by "<>", expected types that can be compared',
      hint: 'write the right side without quotes, or CAST(... AS INT)',
    },
    {
      expression: 'dt IN (ts)',
      at: 'dt IN (ts)',
      message: 'DATE compared with TIMESTAMP(3) by IN, expected types that can be compared',
      hint: 'convert one side with CAST',
    },
    {
      expression: "qty IN (1, 'a')",
      at: "qty IN (1, 'a')",
      message: 'IN with values of several types, expected one type',
      hint: 'convert them with CAST',
    },
    {
      expression: 'paid BETWEEN 1 AND 2',
      at: 'paid BETWEEN 1 AND 2',
      message: 'BOOLEAN compared with INT by BETWEEN, expected types that can be compared',
      hint: 'convert one side with CAST',
    },
    {
      expression: 'id + 1',
      at: 'id + 1',
      message: '"+" of STRING and INT, expected numbers, or a time and an interval',
      hint: 'write || to join text, or CAST to make a number of it',
    },
    {
      expression: 'ts - ts',
      at: 'ts - ts',
      message: '"-" of TIMESTAMP(3) and TIMESTAMP(3), expected numbers, or a time and an interval',
      hint: 'write TIMESTAMPDIFF(SECOND, from, to)',
    },
    {
      expression: 'dt + 1',
      at: 'dt + 1',
      message: '"+" of DATE and INT, expected numbers, or a time and an interval',
      hint: "write + INTERVAL '1' DAY",
    },
    {
      expression: '1.5e0 % 2',
      at: '1.5e0 % 2',
      message: '"%" of DOUBLE and INT, expected exact numbers',
      hint: 'convert the operands with CAST',
    },
    {
      expression: 'id || qty',
      at: 'id || qty',
      message: '"||" of INT, expected text',
      hint: 'write CAST(... AS STRING)',
    },
    {
      expression: '-id',
      at: '-id',
      message: '"-" before STRING, expected a number',
      hint: 'make a number of it with CAST',
    },
    {
      expression: 'paid AND qty',
      at: 'qty',
      message: 'INT as a condition, expected BOOLEAN',
      hint: 'write a comparison, such as <> 0',
    },
    { expression: 'NOT id', at: 'id', message: 'STRING as a condition, expected BOOLEAN' },
    {
      expression: 'SUM(qty) FILTER (WHERE qty)',
      at: 'qty',
      message: 'INT as a condition, expected BOOLEAN',
      hint: 'write a comparison, such as <> 0',
    },
    {
      expression: "qty LIKE '1%'",
      at: 'qty',
      message: 'LIKE of INT, expected text',
      hint: 'write CAST(... AS STRING)',
    },
    {
      expression: "CASE WHEN paid THEN qty ELSE 'none' END",
      at: "CASE WHEN paid THEN qty ELSE 'none' END",
      message: 'CASE with results of INT and STRING, expected one type',
      hint: 'convert the results with CAST',
    },
    {
      expression: 'CAST(ms AS TIMESTAMP(3))',
      at: 'CAST(ms AS TIMESTAMP(3))',
      message: 'CAST of BIGINT to TIMESTAMP(3), which the engine does not convert',
      hint: 'write TO_TIMESTAMP_LTZ(..., 3) for milliseconds, 0 for seconds',
    },
    {
      expression: 'CAST(ts AS BIGINT)',
      at: 'CAST(ts AS BIGINT)',
      message: 'CAST of TIMESTAMP(3) to BIGINT, which the engine does not convert',
      hint: 'write UNIX_TIMESTAMP(CAST(... AS STRING)) for seconds',
    },
    {
      expression: 'UPPER(SHA256(qty))',
      at: 'qty',
      message: 'SHA256 of INT, expected text or BYTES',
      hint: 'write CAST(... AS STRING)',
    },
    {
      expression: 'SUBSTRING(id, paid)',
      at: 'paid',
      message: 'SUBSTRING of BOOLEAN as argument 2, expected an integer',
      hint: 'write CAST(... AS INT)',
    },
    {
      expression: 'SUM(id)',
      at: 'id',
      message: 'SUM of STRING, expected a number',
      hint: 'write CAST(... AS DOUBLE)',
    },
    {
      expression: "COALESCE(qty, 'none')",
      at: "COALESCE(qty, 'none')",
      message: 'COALESCE of INT and STRING, expected arguments of one type',
      hint: 'convert them with CAST',
    },
    {
      expression: 'TIMESTAMPDIFF(SECOND, ts, CURRENT_TIMESTAMP)',
      at: 'TIMESTAMPDIFF(SECOND, ts, CURRENT_TIMESTAMP)',
      message:
        'TIMESTAMPDIFF of TIMESTAMP(3) and TIMESTAMP_LTZ(3), expected two times with or two without a zone',
      hint: 'write LOCALTIMESTAMP beside TIMESTAMP, CURRENT_TIMESTAMP beside TIMESTAMP_LTZ, or CAST',
    },
    {
      expression: 'TO_TIMESTAMP_LTZ(id, 3)',
      at: 'TO_TIMESTAMP_LTZ(id, 3)',
      message:
        'TO_TIMESTAMP_LTZ of STRING and INT, expected a number and its precision, or a text and its format',
      hint: "write TO_TIMESTAMP_LTZ(number, 3), or TO_TIMESTAMP_LTZ(text, 'yyyy-MM-dd HH:mm:ss')",
    },
    {
      expression: "tags['a']",
      at: "'a'",
      message: 'STRING as the place in an array, expected INT',
      hint: 'places count from 1',
    },
    {
      expression: 'm[1]',
      at: '1',
      message: 'INT as the key of MAP<STRING, INT>, expected STRING',
      hint: 'write a key of type STRING',
    },
    {
      expression: 'ARRAY_CONTAINS(tags, 1)',
      at: 'ARRAY_CONTAINS(tags, 1)',
      message:
        'ARRAY_CONTAINS of ARRAY<STRING> and INT, expected a value of the type of the elements, STRING',
      hint: 'convert it with CAST',
    },
    {
      expression: "ARRAY[ROW('a', 1)] || id",
      at: "ARRAY[ROW('a', 1)] || id",
      message: '"||" of ARRAY<ROW>, expected text',
      hint: 'write CAST(... AS STRING)',
    },
    {
      expression: "ARRAY[1, 'a']",
      at: "ARRAY[1, 'a']",
      message: 'ARRAY of different types, expected one type',
      hint: 'convert the elements with CAST',
    },
    { expression: 'qty[1]', at: 'qty[1]', message: 'an element of INT, expected an ARRAY or a MAP' },
    {
      expression: 'CAST(ROW(qty) AS ROW<total INT>).totl',
      at: 'totl',
      message: 'the row has no field "totl"',
      hint: 'did you mean "total"?',
    },
    { expression: 'tags[1].n', at: 'n', message: 'the field "n" of STRING, expected a ROW' },
    {
      expression: "MAP['a', 1, 'b']",
      at: "MAP['a', 1, 'b']",
      message: 'MAP of 3 elements, expected pairs of a key and a value',
    },
    {
      expression: 'CASE WHEN paid THEN NULL END',
      at: 'CASE WHEN paid THEN NULL END',
      message: 'CASE whose results are all NULL, expected at least one with a type',
      hint: 'write CAST(NULL AS STRING), or the type that is meant',
    },
    {
      expression: 'COUNT(DISTINCT id, qty)',
      at: 'COUNT(DISTINCT id, qty)',
      message: 'COUNT of STRING and INT, expected one argument',
      hint: 'count one of them, or a text that is made of all',
    },
    {
      expression: "JSON_VALUE(id, '$.n' RETURNING BIGINT)",
      at: "JSON_VALUE(id, '$.n' RETURNING BIGINT)",
      message: 'JSON_VALUE of STRING, expected RETURNING of BOOLEAN, INTEGER, DOUBLE or STRING',
      hint: 'write CAST around the call for other types',
    },
    {
      expression: "JSON_OBJECT(KEY 'on' VALUE dt)",
      at: 'dt',
      message: 'JSON_OBJECT of DATE, expected a type that JSON has a form for',
      hint: 'write CAST(... AS STRING)',
    },
  ],
  'unknown-function': [
    {
      expression: 'NVL(qty, 0)',
      at: 'NVL(qty, 0)',
      message: 'function NVL, which the engine does not have',
      hint: 'write COALESCE',
    },
    {
      expression: "date_trunc('hour', ts)",
      at: "date_trunc('hour', ts)",
      message: 'function date_trunc, which the engine does not have',
      hint: 'write FLOOR(ts TO HOUR)',
    },
    {
      expression: 'COALESE(qty, 0)',
      at: 'COALESE(qty, 0)',
      message: 'function COALESE, which the engine does not have',
      hint: 'did you mean COALESCE?',
    },
  ],
  'argument-count': [
    {
      expression: 'UPPER(id, id)',
      at: 'UPPER(id, id)',
      message: 'UPPER with 2 arguments, expected 1',
    },
    {
      expression: 'REPLACE(id)',
      at: 'REPLACE(id)',
      message: 'REPLACE with 1 argument, expected 3',
    },
    {
      expression: 'SUBSTR(id)',
      at: 'SUBSTR(id)',
      message: 'SUBSTR with 1 argument, expected 2 to 3',
    },
    {
      expression: 'COALESCE()',
      at: 'COALESCE()',
      message: 'COALESCE with 0 arguments, expected at least 1',
    },
    { expression: 'NOW(3)', at: 'NOW(3)', message: 'NOW with 1 argument, expected none' },
  ],
  'function-not-on-streams': [
    {
      expression: 'LEAD(qty) OVER (ORDER BY ts)',
      at: 'LEAD(qty) OVER (ORDER BY ts)',
      message: 'function LEAD, which the engine does not run on streams',
      hint: 'write LAG, or MATCH_RECOGNIZE to look at rows that follow',
    },
  ],
  'over-required': [
    {
      expression: 'ROW_NUMBER()',
      at: 'ROW_NUMBER()',
      message: 'ROW_NUMBER without OVER',
      hint: 'write ROW_NUMBER(...) OVER (PARTITION BY ... ORDER BY ...)',
    },
  ],
};
