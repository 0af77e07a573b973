import { describe, expect, it } from 'vitest';
import { compareState, compile, type JobFile, loadProject, type StateDifference } from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

interface ProjectFacts {
  /** SQL by model. */
  readonly models: Readonly<Record<string, string>>;
  /** What is said of a model beside its SQL, as YAML. */
  readonly more?: Readonly<Record<string, string>>;
  readonly version?: string;
  readonly amount?: string;
}

const projectOf = ({ models, more = {}, version = '2.2.0', amount = 'DECIMAL(10, 2)' }: ProjectFacts) => `
project: { name: shop }
runtime:
  platform: { bootstrap_servers: "localhost:9092" }
  engine: { clusters: { main: { type: rest, version: "${version}" } } }
sources:
  - name: orders
    topic: orders.v1
    columns:
      - { name: id, type: BIGINT }
      - { name: customer, type: STRING }
      - { name: country, type: STRING }
      - { name: city, type: STRING }
      - { name: amount, type: "${amount}" }
      - { name: ts, type: TIMESTAMP(3) }
    event_time: { column: ts, watermark: { max_out_of_orderness_ms: 1000 } }
  - name: customers
    topic: customers.v1
    columns:
      - { name: customer, type: STRING }
      - { name: email, type: STRING }
      - { name: since, type: TIMESTAMP(3) }
    event_time: { column: since, watermark: { max_out_of_orderness_ms: 1000 } }
models:
${Object.entries(models)
  .map(
    ([name, sql]) =>
      `  - name: ${name}\n    sql: ${JSON.stringify(sql.replace(/@(\w+)/g, (_, table: string) => (table in models ? `{{ ref("${table}") }}` : `{{ source("${table}") }}`)))}\n${more[name] === undefined ? '' : `    ${more[name]}\n`}`,
  )
  .join('')}`;

async function jobOf(facts: ProjectFacts): Promise<JobFile> {
  const loaded = await loadProject({
    fileSystem: memoryFileSystem({ 'stream_project.yml': projectOf(facts) }),
  });
  const { files, diagnostics, holes } = compile(loaded, { today: '2025-01-01' });
  const jobs = [...files].filter(([path]) => /^jobs\/.*\.json$/.test(path));
  const [job, another] = jobs;
  if (job === undefined || another !== undefined)
    throw new Error(
      `${jobs.length} jobs: ${JSON.stringify([diagnostics.map(({ message }) => message), holes])}`,
    );
  return JSON.parse(job[1]) as JobFile;
}

const compared = async (before: ProjectFacts, after: ProjectFacts): Promise<readonly StateDifference[]> =>
  compareState(await jobOf(before), await jobOf(after));

const revenue = (change: (sql: string) => string = (sql) => sql): ProjectFacts => ({
  models: {
    revenue: change(
      "SELECT window_start, country, SUM(amount) AS total FROM TABLE(TUMBLE(TABLE @orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, country",
    ),
  },
});
const totals = (change: (sql: string) => string = (sql) => sql, more?: string): ProjectFacts => ({
  models: { totals: change('SELECT country, SUM(amount) AS total FROM @orders GROUP BY country') },
  ...(more === undefined ? {} : { more: { totals: more } }),
});
const enriched = (change: (sql: string) => string = (sql) => sql): ProjectFacts => ({
  models: {
    orders_enriched: change(
      'SELECT o.id, o.amount, c.email FROM @orders AS o JOIN @customers AS c ON o.customer = c.customer',
    ),
  },
});
const numbered = ': its operators are numbered differently';
const ttl = (ms: number) => `advanced: { engine: { state_ttl_ms: ${ms} } }`;

/** A change of a project, what is said of it, and whether the engine restores its state. */
const changes: readonly (readonly [
  what: string,
  before: ProjectFacts,
  after: ProjectFacts,
  says: readonly (readonly [sentence: string, because: StateDifference['because'] | 'kept'])[],
])[] = [
  ['nothing', revenue(), revenue(), []],
  [
    'a longer window',
    revenue(),
    revenue((sql) => sql.replace('MINUTE', 'HOUR')),
    [['the window of `revenue` went from 1 minute to 1 hour', 'meaning']],
  ],
  [
    'a window of another kind',
    revenue(),
    revenue((sql) => sql.replace('TUMBLE', 'HOP').replace("'1' MINUTE", "'10' SECOND, INTERVAL '90' SECOND")),
    [
      ['the window of `revenue` went from TUMBLE to HOP', 'meaning'],
      ['the window of `revenue` went from 1 minute to 90 seconds', 'meaning'],
      ['the step of the window of `revenue` is 10 seconds', 'meaning'],
    ],
  ],
  [
    'one group more',
    revenue((sql) => `${sql}`),
    revenue((sql) => sql.replace(/country$/, 'country, city')),
    [['`revenue` groups by `country`, `city` (was `country`)', 'types']],
  ],
  [
    'another group',
    totals(),
    totals((sql) => sql.replaceAll('country', 'city')),
    [['`totals` groups by `city` (was `country`)', 'types']],
  ],
  [
    'one aggregate more and one less',
    totals(),
    totals((sql) => sql.replace('SUM(amount) AS total', 'MAX(amount) AS best')),
    [
      ['the group of `totals` computes `MAX(amount)` as well', 'types'],
      ['the group of `totals` computes `SUM(amount)` no longer', 'types'],
    ],
  ],
  [
    'another type of a column',
    totals(),
    { ...totals(), amount: 'DECIMAL(12, 4)' },
    [
      [
        'the type of `SUM(amount)` in the group of `totals` went from DECIMAL(10, 2), DECIMAL(38, 2) to DECIMAL(12, 4), DECIMAL(38, 4)',
        'types',
      ],
    ],
  ],
  [
    'a filter where there was none',
    totals(),
    totals((sql) => sql.replace('GROUP', "WHERE city <> 'x' GROUP")),
    [[`the group of \`totals\` reads source orders, filtered (was source orders)${numbered}`, 'numbering']],
  ],
  [
    'another bound of a filter',
    totals((sql) => sql.replace('GROUP', 'WHERE amount > 1 GROUP')),
    totals((sql) => sql.replace('GROUP', 'WHERE amount > 2 GROUP')),
    [],
  ],
  [
    'a table more in a join',
    enriched(),
    enriched((sql) =>
      sql.replace('c.email', 'c.email, d.since').concat(' JOIN @customers AS d ON d.email = c.email'),
    ),
    [[`\`orders_enriched\` joins a table more${numbered}`, 'numbering']],
  ],
  [
    'no join any more',
    enriched(),
    { models: { orders_enriched: 'SELECT id, amount FROM @orders' } },
    [
      [`\`orders_enriched\` reads \`customers\` no longer${numbered}`, 'numbering'],
      [`\`orders_enriched\` joins a table less${numbered}`, 'numbering'],
    ],
  ],
  [
    'a column more of a joined table',
    enriched(),
    enriched((sql) => sql.replace('c.email', 'c.email, o.city')),
    [['the join with customers of `orders_enriched` keeps `city` of its left side as well', 'types']],
  ],
  [
    'another kind of join',
    enriched(),
    enriched((sql) => sql.replace('JOIN', 'LEFT JOIN')),
    [
      ['the join with customers of `orders_enriched` is of the kind LEFT (was INNER)', 'meaning'],
      [`\`orders_enriched\` writes rows that change${numbered}`, 'numbering'],
    ],
  ],
  [
    'another column of a join',
    enriched(),
    enriched((sql) => sql.replace('= c.customer', '= c.email')),
    [
      [
        'the join with customers of `orders_enriched` finds rows of its right side by `email` (was `customer`)',
        'types',
      ],
      ['the join with customers of `orders_enriched` keeps `customer` of its right side no longer', 'types'],
    ],
  ],
  [
    'more rows of a rank',
    {
      models: {
        best: 'SELECT id, country, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY country ORDER BY amount DESC) AS n FROM @orders) WHERE n <= 3',
      },
    },
    {
      models: {
        best: 'SELECT id, country, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY country ORDER BY amount DESC) AS n FROM @orders) WHERE n <= 5',
      },
    },
    [['the ranking of `best` keeps the rows 1 to 5 (was 1 to 3)', 'meaning']],
  ],
  [
    'another time of unused state',
    totals(undefined, ttl(3_600_000)),
    totals(undefined, ttl(86_400_000)),
    [['the group of `totals` keeps unused state for 1 day (was for 1 hour)', 'kept']],
  ],
  [
    'unused state that is removed from now on',
    totals(),
    totals(undefined, ttl(86_400_000)),
    [['the group of `totals` keeps unused state for 1 day (was forever)', 'kept']],
  ],
  [
    'unused state that is removed from now on, before 2.2',
    { ...totals(), version: '1.20.0' },
    { ...totals(undefined, ttl(86_400_000)), version: '1.20.0' },
    [['the group of `totals` keeps unused state for 1 day (was forever)', 'ttl']],
  ],
  [
    'another version of the engine',
    { ...revenue(), version: '1.20.0' },
    { ...revenue(), version: '2.2.0' },
    [['the engine of the job went from 1.20 to 2.2, which promises nothing for the state of SQL', 'engine']],
  ],
  [
    'one model more in the job',
    { models: { clean: 'SELECT id, country, amount, ts FROM @orders' } },
    {
      models: {
        clean: 'SELECT id, country, amount, ts FROM @orders',
        totals: 'SELECT country, SUM(amount) AS total FROM @clean GROUP BY country',
      },
    },
    [[`the job computes \`totals\` as well${numbered}`, 'numbering']],
  ],
];

describe('compareState', () => {
  it.each(changes)('puts %s into words', async (_, before, after, says) => {
    const found = await compared(before, after);
    expect(
      found.map(({ sentence, state, because }) => [sentence, state === 'kept' ? 'kept' : because]),
    ).toEqual(says);
  });

  // The engine's version decides about the time of unused state, of which fingerprints say nothing
  const others = changes.filter(([, , , says]) => !says.some(([sentence]) => /unused|engine/.test(sentence)));

  it.each(others)(
    'finds state lost where fingerprints differ and only there, for %s',
    async (_, before, after) => {
      const [one, other] = [await jobOf(before), await jobOf(after)];
      const isLost = compareState(one, other).some(({ state }) => state === 'lost');
      expect(isLost).toBe(one.state_fingerprint !== other.state_fingerprint);
    },
  );

  it('names the parts that are lost', async () => {
    const [longer] = await compared(
      revenue(),
      revenue((sql) => sql.replace('MINUTE', 'HOUR')),
    );
    expect(longer).toEqual({
      change: 'changed',
      model: 'revenue',
      part: 'window',
      kind: 'window',
      fact: 'size_ms',
      before: 60_000,
      after: 3_600_000,
      sentence: 'the window of `revenue` went from 1 minute to 1 hour',
      state: 'lost',
      because: 'meaning',
      loses: [{ model: 'revenue', part: 'window' }],
    });
    const [joined] = await compared(enriched(), {
      models: { orders_enriched: 'SELECT id, amount FROM @orders' },
    });
    expect(joined?.loses.map(({ part }) => part)).toEqual([
      'source orders',
      'source customers',
      'join with customers',
    ]);
  });
});
