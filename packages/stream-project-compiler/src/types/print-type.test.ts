import { expect, it } from 'vitest';
import { printType, typeName } from './print-type.ts';
import { declaredType } from './type-of-data-type.ts';

it.each([
  ['VARCHAR', 'STRING'],
  ['character varying', 'STRING'],
  ['VARCHAR(20)', 'VARCHAR(20)'],
  ['CHAR', 'CHAR(1)'],
  ['VARBINARY', 'BYTES'],
  ['BINARY', 'BINARY(1)'],
  ['TIMESTAMP', 'TIMESTAMP(6)'],
  ['TIMESTAMP_LTZ', 'TIMESTAMP_LTZ(6)'],
  ['TIMESTAMP(3) WITH LOCAL TIME ZONE', 'TIMESTAMP_LTZ(3)'],
  ['TIMESTAMP(10)', 'TIMESTAMP(9)'],
  ['TIME(3)', 'TIME(0)'],
  ['DECIMAL', 'DECIMAL(10, 0)'],
  ['dec', 'DECIMAL(10, 0)'],
  ['DECIMAL(5)', 'DECIMAL(5, 0)'],
  ['NUMERIC(8,3)', 'DECIMAL(8, 3)'],
  ['DECIMAL(39,2)', 'DECIMAL(38, 2)'],
  ['INTEGER', 'INT'],
  ['DOUBLE PRECISION', 'DOUBLE'],
  ['VARIANT', 'VARIANT'],
  ['STRING ARRAY', 'ARRAY<STRING>'],
  ['ROW(a INT)', 'ROW<`a` INT>'],
  ['ROW<`a``b` INT NOT NULL, c ROW<d DOUBLE>>', 'ROW<`a``b` INT NOT NULL, `c` ROW<`d` DOUBLE>>'],
  ['MAP<STRING,ARRAY<INT NOT NULL>>', 'MAP<STRING, ARRAY<INT NOT NULL>>'],
  ['MULTISET<STRING> NOT NULL', 'MULTISET<STRING> NOT NULL'],
  ['BIGINT NOT NULL', 'BIGINT NOT NULL'],
])('%s is %s to the engine', (written, printed) => {
  expect(printType(declaredType(written))).toBe(printed);
  expect(printType(declaredType(printed))).toBe(printed);
});

it('leaves NOT NULL out of a name, but not inside of other types', () => {
  const type = declaredType('ARRAY<INT NOT NULL> NOT NULL');
  expect(typeName(type)).toBe('ARRAY<INT NOT NULL>');
});

it('writes a question mark for what is not known', () => {
  expect(printType(undefined)).toBe('?');
  expect(printType({ name: 'MAP', key: undefined, value: undefined, nullable: true })).toBe('MAP<?, ?>');
});

it.each(['TEXT', 'STRING(10)', '', 'INT INT', 'DECIMAL(10', "RAW('class', 'snapshot')", 'my_type'])(
  'knows no type for the text %j',
  (written) => {
    expect(declaredType(written)).toBeUndefined();
  },
);
