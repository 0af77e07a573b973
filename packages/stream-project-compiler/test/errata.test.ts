import { describe, expect, it, test } from 'vitest';
import { errataCodes } from '../src/errata/errata-codes.ts';
import { checkProject, type DiagnosticName, entryOf, errata, loadProject } from '../src/index.ts';
import { projectJobs } from '../src/jobs/project-jobs.ts';
import { errataFixtures, errataModel } from './errata-codes.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { compileFiles } from './resolve-support/compile-files.ts';
import { projectWith } from './validate-support/validate-files.ts';

async function checked(files: Readonly<Record<string, string>>) {
  const all = { 'stream_project.yml': projectWith(), ...files };
  const loaded = await loadProject({ fileSystem: memoryFileSystem(all) });
  return checkProject(loaded, { today: '2025-01-01' });
}

describe.each(Object.keys(errataCodes) as DiagnosticName[])('the diagnostic "%s"', (name) => {
  test('is reported where it is, in words that say what to change', async () => {
    const { text } = await compileFiles(errataFixtures[name]?.files ?? {});
    expect(text).toContain(errataFixtures[name]?.shows ?? 'a fixture');
  });
});

/** The last statement of the job of a model. */
async function insertOf(sql: string, others: Readonly<Record<string, string>> = {}): Promise<string> {
  const { project } = await checked(errataModel([sql], others));
  return projectJobs(project).jobs.get('m')?.statements.at(-1) ?? '';
}

async function namesOf(sql: string, others: Readonly<Record<string, string>> = {}) {
  const { diagnostics } = await checked(errataModel([sql], others));
  return diagnostics.map(({ code }) => entryOf(code).name);
}

const totals = {
  totals: 'SELECT id, customer, SUM(amount) AS total FROM {{ source("orders") }} GROUP BY id, customer',
  names: 'SELECT id, LAST_VALUE(customer) AS name FROM {{ source("orders") }} GROUP BY id',
};
const read = 'IF(`totals`.`total` IS NULL, TRUE, TRUE)';

describe('a job', () => {
  it('reads a column that changes beside MIN and MAX of columns that do not', async () => {
    const sql =
      'SELECT customer, MIN(id) AS a, MAX(id + 1) FILTER (WHERE id > 3 OR id < 0) AS b FROM {{ ref("totals") }} GROUP BY customer';
    const insert = await insertOf(sql, totals);
    expect(insert).toContain(`MIN(id) FILTER (WHERE ${read}) AS a`);
    expect(insert).toContain(`MAX(id + 1) FILTER (WHERE (id > 3 OR id < 0) AND ${read}) AS b`);
  });

  it.each([
    [
      'reads one by itself',
      'SELECT customer, MIN(id) AS a, MAX(total) AS b FROM {{ ref("totals") }} GROUP BY customer',
    ],
    ['reads appended rows', 'SELECT customer, MIN(id) AS a FROM {{ source("orders") }} GROUP BY customer'],
    ['groups by one', 'SELECT total, MIN(id) AS a FROM {{ ref("totals") }} GROUP BY total'],
  ])('leaves MIN as it is where the query %s', async (_, sql) => {
    expect(await insertOf(sql, totals)).not.toContain('FILTER');
    expect(await namesOf(sql, totals)).not.toContain('engine-keeps-extreme');
  });

  it.each([
    'SELECT n.id, n.name, o.total FROM {{ ref("names") }} n LEFT JOIN {{ ref("totals") }} o ON n.id = o.id',
    'SELECT n.id, n.name FROM {{ ref("names") }} n JOIN {{ ref("others") }} o ON n.id = o.id AND n.name < o.name',
    'SELECT n.id, n.name FROM {{ ref("names") }} n WHERE n.id NOT IN (SELECT id FROM {{ ref("others") }})',
  ])('hides the key of joined rows that its planner would feed without all changes: %s', async (sql) => {
    const insert = await insertOf(`${sql}`, { ...totals, others: totals.names });
    const isByKey = insert.includes('AS `query`');
    expect(isByKey).toBe(insert.includes('IF(`id` IS NULL, `id`, `id`) AS `id`'));
  });

  it('shows the key of rows that are joined by equal columns alone, and that of groups of joined rows', async () => {
    const others = { ...totals, others: totals.names };
    const from = 'FROM {{ ref("names") }} n JOIN {{ ref("others") }} o ON n.id = o.id';
    expect(await insertOf(`SELECT n.id, n.name ${from}`, others)).not.toContain('IF(');
    const grouped = `SELECT n.name, COUNT(*) AS c ${from.replace('JOIN', 'LEFT JOIN')} GROUP BY n.name`;
    expect(await insertOf(grouped, others)).not.toContain('IF(');
  });

  it('gives null for texts that are no times and numbers that do not fit, and days before 1970 as they are', async () => {
    const insert = await insertOf(
      'SELECT UNIX_TIMESTAMP(body) AS a, TRY_CAST(amount AS SMALLINT) AS b, TRY_CAST(amount AS BIGINT) AS c, CAST(t AS DATE) AS d FROM (SELECT body, amount, CAST(body AS TIMESTAMP(3)) AS t FROM {{ source("orders") }}) AS x',
    );
    expect(insert).toContain('NULLIF(UNIX_TIMESTAMP(body), -9223372036854775807 - 1) AS a');
    expect(insert).toContain('TRY_CAST(CAST(amount AS STRING) AS SMALLINT) AS b');
    expect(insert).toContain('TRY_CAST(amount AS BIGINT) AS c');
    expect(insert).toContain('CAST(FLOOR(t TO DAY) AS DATE) AS d');
  });
});

describe('a window', () => {
  const readings = (type: string) => ({
    'sources/s.yml': `sources:
  - name: readings
    topic: readings.v1
    columns: [{name: id, type: INT}, {name: at, type: ${type}}]
    event_time: {column: at}
`,
  });
  const windows = (table: string) =>
    `SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(${table}, DESCRIPTOR(\`at\`), INTERVAL '1' HOUR)) GROUP BY window_start, window_end`;
  const jobOf = async (type: string, sql: string) => {
    const { project } = await checked({ ...errataModel([sql]), ...readings(type) });
    return projectJobs(project).jobs.get('m')?.statements.join('\n') ?? '';
  };
  const source = '{{ source("readings") }}';

  it('reads the rows that have a time where nothing says that all have one', async () => {
    const filtered = '(SELECT * FROM `readings` WHERE `at` IS NOT NULL)';
    expect(await jobOf('TIMESTAMP(3)', windows(`TABLE ${source}`))).toContain(`TUMBLE(${filtered}, DESC`);
    const session = windows(`TABLE ${source} PARTITION BY id`).replace('TUMBLE', 'SESSION');
    expect(await jobOf('TIMESTAMP(3)', session)).toContain(`SESSION(${filtered} PARTITION BY id, DESC`);
  });

  it('a query with two columns of one name stays unchanged', async () => {
    const twice = `(SELECT \`at\`, id, id * 2 AS id FROM ${source})`;
    const sql = `SELECT window_start FROM TABLE(TUMBLE(${twice}, DESCRIPTOR(\`at\`), INTERVAL '1' HOUR))`;
    const job = await jobOf('TIMESTAMP(3)', sql);
    expect(job).toContain('TUMBLE((SELECT `at`, id, id * 2 AS id FROM `readings`), DESC');
  });

  it('of GROUP BY, and a frame of OVER, are of rows that have a time', async () => {
    const grouped = `SELECT COUNT(*) AS n FROM ${source} AS r WHERE id > 1 OR id < 0 GROUP BY TUMBLE(r.\`at\`, INTERVAL '1' HOUR)`;
    expect(await jobOf('TIMESTAMP(3)', grouped)).toContain(
      'WHERE (id > 1 OR id < 0) AND `r`.`at` IS NOT NULL GROUP',
    );
    const over = `SELECT id, SUM(id) OVER (ORDER BY \`at\`) AS s FROM ${source}`;
    expect(await jobOf('TIMESTAMP(3)', over)).toContain('FROM `readings` WHERE `at` IS NOT NULL');
    const named = `SELECT id, SUM(id) OVER w AS s FROM ${source} WINDOW w AS (ORDER BY \`at\`)`;
    expect(await jobOf('TIMESTAMP(3)', named)).toContain('FROM `readings` WHERE `at` IS NOT NULL WINDOW');
    const last = `SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY \`at\` DESC) AS n FROM ${source}) WHERE n = 1`;
    expect(await jobOf('TIMESTAMP(3)', last)).not.toContain('`at` IS NOT NULL');
  });

  it('is reported where an outer join makes rows without time', async () => {
    const joined = `SELECT b.\`at\` FROM ${source} AS a LEFT JOIN ${source} AS b ON a.id = b.id AND b.\`at\` BETWEEN a.\`at\` AND a.\`at\` + INTERVAL '1' HOUR`;
    const files = {
      ...errataModel([`WITH t AS (${joined}) ${windows('TABLE t')}`]),
      ...readings('TIMESTAMP(3)'),
    };
    const { diagnostics } = await checked(files);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'rows with a null in "at" are in no window: LEFT JOIN makes one where it finds no row',
    ]);
  });

  it.each([
    ['their type', 'TIMESTAMP(3) NOT NULL', windows(`TABLE ${source}`)],
    [
      'a condition',
      'TIMESTAMP(3)',
      `WITH t AS (SELECT id, \`at\` FROM ${source} WHERE \`at\` IS NOT NULL) ${windows('TABLE t')}`,
    ],
  ])('reads rows as they are where each has a time by %s', async (_, type, sql) => {
    expect(await jobOf(type, sql)).not.toContain('(SELECT *');
  });
});

describe('first rows in an order that the planner takes for rising', () => {
  const others = {
    ...totals,
    pairs: 'SELECT DISTINCT customer, id FROM {{ source("orders") }}',
  };
  const placed = (order: string, from = '{{ ref("totals") }}') =>
    `SELECT customer, id, place FROM (SELECT customer, id, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY ${order}) AS place FROM ${from}) WHERE place <= 2`;
  const name = 'engine-keeps-place';
  const other = '`totals`.`total` IS NULL';

  it.each([
    ['a key column', placed('id DESC'), `ORDER BY IF(${other}, \`id\`, \`id\`) DESC`],
    ['two of them', placed('customer, id'), `ORDER BY IF(${other}, \`customer\`, \`customer\`), id)`],
    [
      'a key column of a joined table',
      'SELECT a.id, a.place FROM (SELECT t.id, ROW_NUMBER() OVER (ORDER BY t.id) AS place FROM {{ ref("totals") }} AS t JOIN {{ ref("names") }} AS n ON t.id = n.id) AS a WHERE a.place <= 3',
      'ORDER BY IF(`t`.`total` IS NULL, `t`.`id`, `t`.`id`)',
    ],
    [
      'a count',
      'SELECT customer, n FROM (SELECT customer, n, ROW_NUMBER() OVER (ORDER BY n DESC) AS place FROM (SELECT customer, COUNT(*) AS n FROM {{ ref("totals") }} GROUP BY customer) AS g) WHERE place <= 2',
      'ORDER BY IF(`g`.`n` IS NULL, `n`, `n`) DESC',
    ],
    [
      'a count of its groups',
      'SELECT customer FROM (SELECT customer, ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) AS place FROM {{ ref("totals") }} GROUP BY customer) WHERE place <= 2',
      'ORDER BY ARRAY[COUNT(*)][1] DESC',
    ],
    [
      'a key column, limited',
      'SELECT customer, id FROM {{ ref("totals") }} ORDER BY id DESC LIMIT 2',
      `ORDER BY IF(${other}, \`id\`, \`id\`) DESC`,
    ],
    [
      'the number of a column, limited',
      'SELECT customer, COUNT(*) AS n FROM {{ ref("totals") }} GROUP BY customer ORDER BY 2 DESC LIMIT 2',
      'ORDER BY IF(`n` IS NULL, `n`, `n`) DESC',
    ],
  ])('are ordered by what it does not look into: %s', async (_, sql, text) => {
    expect(await insertOf(sql, others)).toContain(text);
    expect(await namesOf(sql, others)).not.toContain(name);
  });

  it.each([
    ['a column that changes', placed('total DESC'), others],
    ['a key column and one that changes', placed('id DESC, total'), others],
    ['an expression', placed('id + 1 DESC'), others],
    ['appended rows', placed('id DESC', '{{ source("orders") }}'), others],
    [
      'rows that are never withdrawn',
      'SELECT customer, n FROM (SELECT customer, n, ROW_NUMBER() OVER (ORDER BY n DESC) AS place FROM (SELECT customer, COUNT(*) AS n FROM {{ source("orders") }} GROUP BY customer) AS g) WHERE place <= 2',
      others,
    ],
  ])('stay as they are where it is that of %s', async (_, sql, more) => {
    const insert = await insertOf(sql, more);
    expect(insert).not.toContain('IF(');
    expect(insert).not.toContain('ARRAY[');
    expect(await namesOf(sql, more)).not.toContain(name);
  });

  it('are rewritten once where two queries read them', async () => {
    const sql = `WITH x AS (SELECT customer, id, ROW_NUMBER() OVER (ORDER BY id) AS place FROM {{ ref("totals") }}) SELECT id FROM x WHERE place <= 2 UNION ALL SELECT id FROM x WHERE place <= 3`;
    expect((await insertOf(sql, others)).split('IF(')).toHaveLength(2);
  });

  it.each([
    placed('id DESC', '{{ ref("pairs") }}'),
    'SELECT DISTINCT customer FROM {{ ref("totals") }} ORDER BY customer LIMIT 2',
  ])('are reported where every column is fixed: %s', async (sql) => {
    expect(await namesOf(sql, others)).toContain(name);
  });
});

describe('first rows of each key', () => {
  const first = (order: string) =>
    `(SELECT id, customer, amount, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY ${order}) AS place FROM {{ source("orders") }}) AS x`;
  const name = 'engine-repeats-first-row';

  it.each([
    ['an aggregate', `SELECT SUM(amount) AS s FROM ${first('amount')} WHERE place = 1`],
    [
      'a condition',
      `SELECT customer, amount FROM ${first('amount DESC, id DESC')} WHERE place = 1 AND amount > 3`,
    ],
    ['DISTINCT', `SELECT DISTINCT amount FROM ${first('amount')} WHERE place = 1`],
    [
      'a join',
      `SELECT a.customer FROM (SELECT customer, amount FROM ${first('amount')} WHERE place = 1) a JOIN {{ ref("totals") }} t ON a.amount = t.total`,
    ],
    [
      'a condition around them',
      `SELECT customer FROM (SELECT customer, amount FROM ${first('amount')} WHERE place = 1) a WHERE amount > 3`,
    ],
  ])('are reported where %s reads them', async (_, sql) => {
    expect(await namesOf(sql, totals)).toContain(name);
  });

  it.each([
    ['are written as they are', `SELECT customer, amount FROM ${first('amount')} WHERE place = 1`],
    ['are the last ones', `SELECT SUM(amount) AS s FROM ${first('amount DESC')} WHERE place = 1`],
    ['are several', `SELECT SUM(amount) AS s FROM ${first('amount')} WHERE place <= 2`],
  ])('are not reported where they %s', async (_, sql) => {
    expect(await namesOf(sql, totals)).not.toContain(name);
  });
});

it('lists each erratum once, with the codes that report it', () => {
  const codes = errata.flatMap((one) => one.codes ?? []);
  expect([...new Set(codes)].sort()).toEqual(Object.values(errataCodes).map(({ code }) => code));
  expect(new Set(errata.map(({ id }) => id)).size).toBe(errata.length);
});

describe('a job of several models', () => {
  const models = (names: string, n: string) => `models:
  - name: names
    advanced: {engine: {ends_job: true}}
    sql: ${totals.names}
  - name: both
    sql: ${names}
  - name: m
    sql: ${n}
`;
  const insertsOf = async (names: string, n: string) => {
    const files = { ...errataModel([]), 'models/m.yml': models(names, n) };
    const { project } = await checked(files);
    return [...projectJobs(project).jobs.values()].map(({ statements }) => statements.at(-1) ?? '');
  };

  it('hides the key in what it writes, and shows it to the models that read the view', async () => {
    const both =
      'SELECT n.id, n.name FROM {{ ref("names") }} n LEFT JOIN {{ ref("names") }} o ON n.id = o.id';
    const inserts = await insertsOf(both, 'SELECT id FROM {{ ref("both") }}');
    const hidden = 'IF(`id` IS NULL, `id`, `id`) AS `id`';
    expect(inserts.map((text) => text.split(hidden).length - 1)).toEqual([0, 2]);
  });

  it('ends at first rows that the planner would take for appended', async () => {
    const first =
      'SELECT customer, amount FROM (SELECT customer, amount, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY amount) AS place FROM {{ source("orders") }}) WHERE place = 1';
    const inserts = await insertsOf(first, 'SELECT SUM(amount) AS s FROM {{ ref("both") }}');
    expect(inserts).toHaveLength(3);
    expect(
      await insertsOf(
        first.replace('BY amount)', 'BY amount DESC)'),
        'SELECT SUM(amount) AS s FROM {{ ref("both") }}',
      ),
    ).toHaveLength(2);
  });
});
