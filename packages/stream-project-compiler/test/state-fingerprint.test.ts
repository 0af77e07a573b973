import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, loadProject } from '../src/index.ts';
import { plannedQueries } from './changelog/planned-changes.ts';
import { queryJobs } from './jobs/query-jobs.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { aGap, withCase, withGaps, withQuotes } from './properties/spellings.ts';

/** The state of the job of each query, and its fingerprint; undefined where it has none. */
async function statesOf(
  queries: readonly string[],
  spell?: (sql: string) => string,
): Promise<readonly ({ readonly fingerprint: string; readonly parts: string } | undefined)[]> {
  const made = await queryJobs(queries, '2.2.0', spell);
  return made.map(({ job }) =>
    typeof job === 'string'
      ? undefined
      : { fingerprint: job.stateFingerprint, parts: JSON.stringify(job.models.map(({ state }) => state)) },
  );
}

const minute = "DESCRIPTOR(ts), INTERVAL '1' MINUTE";
const windowed = `SELECT window_start, customer, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE o, ${minute})) GROUP BY window_start, window_end, customer`;
const joined = 'SELECT o.id, pay.amount FROM o JOIN pay ON o.id = pay.oid';
const latest =
  'SELECT id, qty FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS n FROM o) WHERE n = 1';
const interval =
  "SELECT o.id FROM o JOIN pay ON o.id = pay.oid AND pay.pts BETWEEN o.ts AND o.ts + INTERVAL '1' HOUR";
const grouped = 'SELECT customer, SUM(qty) AS n FROM o GROUP BY customer';

/** A query, what it becomes, and whether a job of the second takes over the state of the first. */
const edits: readonly (readonly [what: string, kept: boolean, before: string, after: string])[] = [
  ['another group', false, grouped, grouped.replaceAll('customer', 'product')],
  ['one group more', false, grouped, grouped.replace('BY customer', 'BY customer, product')],
  ['groups in another order', false, `${grouped}, product`, grouped.replace('BY ', 'BY product, ')],
  ['another aggregate', false, grouped, grouped.replace('SUM', 'MAX')],
  ['one aggregate more', false, grouped, grouped.replace('AS n', 'AS n, COUNT(*) AS rows_')],
  ['an aggregate of another column', false, grouped, grouped.replace('qty', 'cnt')],
  ['an aggregate of distinct values', false, grouped, grouped.replace('(qty', '(DISTINCT qty')],
  ['an aggregate in HAVING', false, grouped, `${grouped} HAVING MAX(qty) > 1`],
  ['a filter where there was none', false, grouped, grouped.replace('GROUP', 'WHERE qty > 1 GROUP')],
  [
    'another bound of a filter',
    true,
    grouped.replace('GROUP', 'WHERE qty > 1 GROUP'),
    grouped.replace('GROUP', 'WHERE qty > 2 GROUP'),
  ],
  ['another bound in HAVING', true, `${grouped} HAVING SUM(qty) > 1`, `${grouped} HAVING SUM(qty) > 2`],
  ['another name of an output column', true, grouped, grouped.replace('AS n', 'AS total')],
  ['another computation after the aggregate', true, grouped, grouped.replace('SUM(qty)', 'SUM(qty) + 1')],
  [
    'a name before the columns',
    true,
    grouped,
    grouped.replace('SUM(qty)', 'SUM(x.qty)').replace('FROM o', 'FROM o AS x'),
  ],
  ['another size of a window', false, windowed, windowed.replace("'1'", "'5'")],
  [
    'another kind of window',
    false,
    windowed,
    windowed.replace('TUMBLE', 'CUMULATE').replace(minute, `${minute}, INTERVAL '1' HOUR`),
  ],
  ['another kind of join', false, joined, joined.replace('JOIN', 'LEFT JOIN')],
  ['another condition of a join', false, joined, joined.replace('pay.oid', 'pay.pid')],
  ['a join where there was none', false, 'SELECT id FROM o', 'SELECT o.id FROM o JOIN pay ON o.id = pay.oid'],
  ['another joined table', false, joined, 'SELECT o.id, users.age FROM o JOIN users ON o.id = users.id'],
  ['sides of a join exchanged', false, joined, 'SELECT o.id, pay.amount FROM pay JOIN o ON o.id = pay.oid'],
  ['one column more of a joined table', false, joined, joined.replace('pay.amount', 'pay.amount, pay.kind')],
  ['another computation of joined columns', true, joined, joined.replace('pay.amount', 'pay.amount * 2')],
  [
    'other names of joined tables',
    true,
    joined,
    'SELECT a.id, b.amount FROM o AS a JOIN pay b ON a.id = b.oid',
  ],
  ['another bound of an interval', false, interval, interval.replace("'1'", "'2'")],
  ['other columns that find the latest row', false, latest, latest.replace('BY id', 'BY customer')],
  ['more rows of a rank', false, latest.replace('n = 1', 'n <= 2'), latest.replace('n = 1', 'n <= 3')],
  ['rows that are distinct', false, 'SELECT id FROM o', 'SELECT DISTINCT id FROM o'],
  ['one distinct column more', false, 'SELECT DISTINCT id FROM o', 'SELECT DISTINCT id, qty FROM o'],
  [
    'a set that is distinct',
    false,
    'SELECT id FROM o UNION ALL SELECT pid FROM pay',
    'SELECT id FROM o UNION SELECT pid FROM pay',
  ],
  [
    'a frame of OVER',
    false,
    'SELECT SUM(qty) OVER (ORDER BY ts) AS n FROM o',
    'SELECT SUM(qty) OVER (ORDER BY ts ROWS BETWEEN 9 PRECEDING AND CURRENT ROW) AS n FROM o',
  ],
  [
    'a subquery of another table',
    false,
    'SELECT id FROM o WHERE id IN (SELECT pid FROM pay)',
    'SELECT id FROM o WHERE id IN (SELECT id FROM users)',
  ],
  [
    'another limit',
    false,
    'SELECT id, ts FROM o ORDER BY ts LIMIT 5',
    'SELECT id, ts FROM o ORDER BY ts LIMIT 6',
  ],
  [
    'other rows one by one',
    true,
    'SELECT id FROM o WHERE qty > 1',
    "SELECT UPPER(customer) AS c, 1 AS k FROM o WHERE product = 'x'",
  ],
];

describe('whether a job takes over the state of an earlier one', () => {
  it.each(edits)('is right for %s', async (_, kept, before, after) => {
    const [one, other] = await statesOf([before, after]);
    expect(one).toBeDefined();
    expect(other).toBeDefined();
    expect(one?.fingerprint === other?.fingerprint).toBe(kept);
  });

  it('does not depend on layout, comments, letters and backticks, for queries that the planner takes', async () => {
    const some = plannedQueries.filter((_, index) => index % 3 === 0);
    const states = await statesOf(some);
    const choose = () =>
      fc.sample(fc.infiniteStream(fc.boolean()), { numRuns: 1, seed: 7 })[0] as Iterator<boolean>;
    const [quotes, letters] = [choose(), choose()];
    const gaps = fc.sample(aGap, { numRuns: 40, seed: 7 });
    for (const spell of [
      (text: string) => withGaps(text, gaps),
      (text: string) => withCase(text, () => letters.next().value === true),
      (text: string) => withQuotes(text, () => quotes.next().value === true),
    ]) {
      const again = await statesOf(some, spell);
      const changed = some.filter(
        (_, index) =>
          states[index] !== undefined &&
          again[index] !== undefined &&
          again[index].parts !== states[index].parts,
      );
      expect(changed).toEqual([]);
      expect(again.filter((state) => state !== undefined).length).toBeGreaterThan(200);
    }
    expect(states.filter((state) => state !== undefined).length).toBeGreaterThan(200);
  }, 60_000);
});

const project = `project: { name: shop }
runtime:
  platform: { bootstrap_servers: "localhost:9092" }
  engine: { clusters: { main: { type: rest }, other: { type: rest } } }
sources:
  - name: orders
    topic: orders.v1
    columns:
      - { name: id, type: BIGINT }
      - { name: customer, type: STRING }
      - { name: amount, type: "DECIMAL(10, 2)" }
      - { name: ts, type: TIMESTAMP(3) }
    event_time: { column: ts, watermark: { max_out_of_orderness_ms: 1000 } }
models:
  - name: clean
    sql: SELECT id, customer, amount, ts FROM {{ source("orders") }}
    advanced: { topic: { name: clean.v1 }, engine: { ends_job: true } }
  - name: totals
    sql: SELECT customer, SUM(amount) AS total FROM {{ ref("clean") }} GROUP BY customer
    advanced: { engine: { parallelism: 2, state_ttl_ms: 1000 } }
`;

const fingerprintOf = async (text: string, model: string): Promise<string | undefined> => {
  const loaded = await loadProject({ fileSystem: memoryFileSystem({ 'stream_project.yml': text }) });
  const file = compile(loaded, { today: '2025-01-01' }).files.get(`jobs/${model}.json`);
  return file === undefined
    ? undefined
    : (JSON.parse(file) as { readonly state_fingerprint: string }).state_fingerprint;
};

describe('the state fingerprint of a job', () => {
  it.each([
    ['the time that state is kept', 'state_ttl_ms: 1000', 'state_ttl_ms: 2000'],
    ['parallelism', 'parallelism: 2', 'parallelism: 4'],
    ['the name of the project', 'name: shop', 'name: store'],
    ['the cluster', 'state_ttl_ms: 1000 }', 'state_ttl_ms: 1000 }, engine_cluster: other'],
    ['the delay of the watermark', 'ness_ms: 1000', 'ness_ms: 5'],
    ['the name of what it reads', /\bclean(?=\n|"\))/g, 'cleaned'],
    ['a column that it does not read', ', type: BIGINT }', ', type: INT }'],
    ['the name of its topic', '{ engine: { parallelism', '{ topic: { name: t.v2 }, engine: { parallelism'],
  ])('does not depend on %s', async (_, from, to) => {
    const before = await fingerprintOf(project, 'totals');
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    const changed = project.replaceAll(from, to);
    expect(changed).not.toBe(project);
    expect(await fingerprintOf(changed, 'totals')).toBe(before);
  });

  it.each([
    ['the type of a column that it keeps', '"DECIMAL(10, 2)"', '"DECIMAL(12, 2)"'],
    ['the topic that it reads', 'clean.v1', 'clean.v2'],
    ['the rows of that topic', 'SELECT id, customer, amount, ts', 'SELECT DISTINCT id, customer, amount, ts'],
    ['the query', 'GROUP BY customer', 'GROUP BY customer, id'],
    ['whether unused state is ever removed', ', state_ttl_ms: 1000', ''],
  ])('depends on %s', async (_, from, to) => {
    const changed = project.replace(from, to);
    expect(await fingerprintOf(changed, 'totals')).not.toBe(await fingerprintOf(project, 'totals'));
    expect(await fingerprintOf(changed, 'totals')).toBeDefined();
  });

  it('is kept when the model itself has another name', async () => {
    const renamed = project.replace('name: totals', 'name: sums');
    expect(await fingerprintOf(renamed, 'sums')).toBe(await fingerprintOf(project, 'totals'));
  });
});
