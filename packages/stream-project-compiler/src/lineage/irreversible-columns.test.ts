import { parseSql } from '@levada/stream-sql';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aGap, withCase, withGaps } from '../../test/properties/spellings.ts';
import { irreversibleColumns } from './irreversible-columns.ts';

function irreversibleOf(sql: string): readonly string[] {
  const { query } = parseSql(sql);
  return query === undefined ? [] : [...irreversibleColumns(query)];
}

const cases: readonly (readonly [string, readonly string[]])[] = [
  ['SELECT a, COUNT(b) AS n, COUNT(*) AS all_ FROM t GROUP BY a', ['n', 'all_']],
  ['SELECT SHA256(a) AS h, MD5(CAST(b AS STRING)) AS m FROM t', ['h', 'm']],
  ["SELECT CONCAT('x', SHA2(a, 256)) AS h, CONCAT(b, SHA2(a, 256)) AS open_ FROM t", ['h']],
  ['SELECT MAX(a) AS m, MIN(a) AS n, SUM(a) AS s, LISTAGG(a) AS l FROM t', []],
  ['SELECT COUNT(a) FILTER (WHERE b > 1) AS n FROM t', ['n']],
  ['SELECT COUNT(a) AS n FROM t UNION ALL SELECT a FROM t', []],
  ['(SELECT COUNT(a) AS n FROM t)', ['n']],
  ['SELECT * FROM t', []],
  ['SELECT COUNT(a) FROM t', []],
  ['SELECT (SELECT MAX(a) FROM t) + COUNT(b) AS n FROM t', []],
  ['SELECT own.SHA256(a) AS h, 1 AS one FROM t', []],
];

test.each(cases)('%s lets nothing through in %j', (sql, names) => {
  expect(irreversibleOf(sql)).toEqual(names);
});

test('comments, white space and the case of words do not matter', () => {
  const gaps = fc.array(aGap, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(
      fc.constantFrom(...cases),
      gaps,
      fc.infiniteStream(fc.boolean()),
      ([sql, names], some, lower) => {
        const choose = () => lower.next().value === true;
        expect(irreversibleOf(withGaps(withCase(sql, choose), some))).toEqual(names);
        expect(
          irreversibleOf(
            sql.replaceAll(/COUNT|SHA256|SHA2|MD5/g, (name) => (choose() ? name.toLowerCase() : name)),
          ),
        ).toEqual(names);
      },
    ),
    { numRuns: 100 },
  );
});
