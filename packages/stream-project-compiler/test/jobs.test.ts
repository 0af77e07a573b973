import { describePlanner } from '@levada/test-peers/engine';
import { describe, expect, it } from 'vitest';
import { checkProject, loadProject } from '../src/index.ts';
import { type ProjectJobs, projectJobs } from '../src/jobs/project-jobs.ts';
import { compiledProjects, namedJobs } from './jobs/compiled-jobs.ts';
import { constructJobs } from './jobs/construct-projects.ts';
import { refusedJobs } from './jobs/planned-jobs.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

describePlanner('jobs', '2.2.0', (planner) => {
  it('are planned, a tenth of those of the corpus and the example', async () => {
    const all = namedJobs(await compiledProjects());
    // One has a function that somebody has to register
    const known = all.filter(([id]) => !id.startsWith('p018184afm '));
    const some = known.filter(([id], index) => index % 10 === 0 || /^(?:shop|debezium)-project /.test(id));
    expect(some.length).toBeGreaterThan(9);
    expect(await refusedJobs(planner(), some)).toEqual([]);
  }, 180_000);

  it('are planned for every construct that changes how they are written', async () => {
    const { jobs, refused, errors } = await constructJobs('2.2');
    expect({ errors, refused: [...refused] }).toEqual({ errors: [], refused: [] });
    expect(await refusedJobs(planner(), [...jobs])).toEqual([]);
  }, 180_000);
});

const jobOf = async (model: string, version = '2.2') => {
  const job = (await constructJobs(version)).models.get(model)?.job;
  if (job === undefined) throw new Error(`no job of ${model}`);
  return job;
};

const createdTable = async (model: string, table: string) => {
  const { statements } = await jobOf(model);
  const found = statements.find((sql) => sql.startsWith(`CREATE TEMPORARY TABLE \`${table}\``)) ?? '';
  return found.split('\n').map((line) => line.trim().replace(/,$/, ''));
};

describe('a job', () => {
  it('sets its name, time zone, parallelism, interval of checkpoints and how long it keeps state', async () => {
    const { statements } = await jobOf('alone');
    expect(statements.slice(0, 6)).toEqual([
      "SET 'pipeline.name' = 'shop.alone'",
      "SET 'table.local-time-zone' = 'UTC'",
      "SET 'parallelism.default' = '3'",
      "SET 'execution.checkpointing.interval' = '1500 ms'",
      "SET 'restart-strategy.type' = 'exponential-delay'",
      "SET 'table.exec.state.ttl' = '90 min'",
    ]);
  });

  it('reads a topic with the declared columns, its event time, and Avro by the registry', async () => {
    const lines = await createdTable('keyed', 'orders');
    expect(lines).toContain('`pt` AS PROCTIME()');
    expect(lines).toContain("WATERMARK FOR `ts` AS `ts` - INTERVAL '150.500' SECOND(3)");
    expect(lines).toContain("'properties.group.id' = 'shop.keyed'");
    expect(lines).toContain("'format' = 'avro-confluent'");
  });

  it('holds variables as they are written, and the value of none', async () => {
    const { jobs } = await constructJobs('2.2');
    const all = [...jobs.values()].flatMap(({ statements }) => statements).join('\n');
    expect(all).not.toContain('secret');
    expect(all).toMatch(/'properties.bootstrap.servers' = '\$\{BROKERS\}'/);
    expect(all).toMatch(/username="shop" password="\$\{BROKER_PASSWORD\}";/);
  });

  it('writes appended rows under the key of the model, and changing ones by a key of the query', async () => {
    expect(await createdTable('keyed', 'keyed_topic')).toContain("'key.fields' = 'customer'");
    const totals = await createdTable('totals', 'totals');
    expect(totals).toContain('PRIMARY KEY (`customer`) NOT ENFORCED');
    expect(totals).toContain("'connector' = 'upsert-kafka'");
  });

  it('writes changes without a key with the rows before and after them', async () => {
    expect(await createdTable('outer_joined', 'outer_joined_topic')).toContain("'format' = 'debezium-json'");
  });

  it('does not write rows under a key that a mask makes the same for all of them', async () => {
    for (const table of ['redacted_totals_topic', 'of_redacted_totals'])
      expect(await createdTable('redacted_totals', table)).toContain("'format' = 'debezium-json'");
    expect(await createdTable('masked_totals', 'masked_totals')).toContain(
      'PRIMARY KEY (`customer`) NOT ENFORCED',
    );
  });

  it('says what happens on a conflict of keys only to engines that may ask for it', async () => {
    const last = async (model: string, version: string) => (await jobOf(model, version)).statements.at(-1);
    const conflict = '\nON CONFLICT DO DEDUPLICATE';
    expect((await last('totals_by_other_key', '2.3'))?.split(`${conflict};`).length).toBe(4);
    expect(await last('totals_by_other_key', '2.2')).not.toContain('CONFLICT');
    expect((await last('alone', '2.3'))?.split(conflict).length).toBe(2);
    // That of the model that counts its rows, which has a key
    expect((await last('outer_joined', '2.3'))?.split(conflict).length).toBe(2);
  });

  it('keeps one event time of several, since a topic has one', async () => {
    const { statements } = await jobOf('two_times');
    expect(statements.at(-1)).toContain('CAST(`paid_at` AS TIMESTAMP(3)) AS `paid_at`');
  });

  it.each(['prev_ts', 'large_ts', 'known_ts', 'next_ts', 'any_ts'])(
    'makes a plain time of %s, which has the type of the event time that it is made of',
    async (column) => {
      const { statements } = await jobOf('made_times');
      expect(statements.at(-1)).toContain(`CAST(\`${column}\` AS TIMESTAMP(3)) AS \`${column}\``);
    },
  );

  it('reads versions of an append topic from a view of the latest rows, and of a keyed topic as it is', async () => {
    const topic = (await jobOf('as_of_topic')).statements;
    expect(topic.at(-2)).toContain('ROW_NUMBER() OVER (PARTITION BY `id` ORDER BY `changed` DESC)');
    expect(topic.at(-1)).toContain('LEFT JOIN `customers_versions` FOR SYSTEM_TIME AS OF orders.ts AS c');
    expect((await jobOf('as_of_latest')).statements.at(-1)).toBe(
      [
        'INSERT INTO `as_of_latest`',
        'SELECT o.id, totals.total -- of that time',
        'FROM `orders` AS o',
        'JOIN `totals` FOR SYSTEM_TIME AS OF o.ts ON o.customer = totals.customer -- the end',
        '',
      ].join('\n'),
    );
  });

  it('a job leaves out template comments and the white space signs of macros', async () => {
    const statement = (await jobOf('templates')).statements.at(-1);
    expect(statement?.trimEnd()).toBe(
      'INSERT INTO `templates`\n \nSELECT id, customer\nFROM`orders`WHERE amount > 0',
    );
  });

  it('masks around the query, columns of "*" too', async () => {
    const text = (await jobOf('masked')).statements.at(-1) ?? '';
    expect(text).toContain('  SHA256(`email`) AS `email`,\n');
    expect(text).toContain("  IF(`mail` IS NULL, CAST(NULL AS STRING), '***') AS `mail`\nFROM (\n");
    expect(text).toContain('SELECT *, card AS copy, email AS mail FROM orders\n) AS `query` (`id`, `email`,');
  });

  it('copies records of which nothing is declared, and reads the values that its condition names', async () => {
    const text = (await jobOf('everything')).statements;
    expect(text.at(-1)).toMatch(
      /^INSERT INTO `everything`\nSELECT\n {2}`record_key`,\n {2}`record`\nFROM \(\n/,
    );
    expect(await createdTable('everything', 'anything')).toContain(
      "`number` AS CAST(JSON_VALUE(`record`, 'lax $.number' NULL ON EMPTY ERROR ON ERROR) AS DOUBLE)",
    );
  });

  it('knows where each line of its query is in the project', async () => {
    const { statements, models } = await jobOf('windows_of_windows');
    const found = models.find(({ model }) => model === 'windows_of_windows');
    const { statement, lines: sourceLines } = found?.query ?? { statement: 0, lines: [] };
    const text = statements[statement - 1]?.split('\n') ?? [];
    const { project } = await constructJobs('2.2');
    const [file] = project.resolved.parsed.files;
    const source = file?.file.text.split('\n') ?? [];
    expect(sourceLines.length).toBeGreaterThan(3);
    for (const { line, column, length, from } of sourceLines) {
      const piece = text[line - 1]?.slice(column - 1, column - 1 + length);
      expect(source[from.line - 1]?.slice(from.column - 1, from.column - 1 + length)).toBe(piece);
    }
  });
});

/** The jobs of models of one source. */
async function jobsOf(...models: readonly string[]): Promise<ProjectJobs> {
  const files = {
    'stream_project.yml': projectWith(
      '  vendor:',
      '    gateway: {admin_url: "http://gateway:8888", proxy_bootstrap: "gateway:6969"}',
    ),
    'sources/s.yml': lines(
      'sources:',
      '  - name: orders',
      '    topic: orders.v1',
      '    columns: [{name: id, type: STRING}, {name: customer, type: STRING}]',
      '  - {name: loose, topic: loose.v1}',
    ),
    'models/m.yml': lines('models:', ...models),
  };
  const { project } = checkProject(await loadProject({ fileSystem: memoryFileSystem(files) }));
  return projectJobs(project);
}

describe('a function of time in rows that change', () => {
  const groups =
    'SELECT customer, COUNT(*) AS n, NOW() AS seen FROM {{ source("orders") }} GROUP BY customer';
  const joined =
    'SELECT o.id, CURRENT_TIMESTAMP AS seen FROM {{ source("orders") }} o LEFT JOIN {{ source("orders") }} c ON o.id = c.customer';
  const joinedBefore = joined
    .replace('CURRENT_TIMESTAMP AS seen', 'o.seen')
    .replace(
      '{{ source("orders") }} o',
      '(SELECT *, CURRENT_TIMESTAMP AS seen FROM {{ source("orders") }}) o',
    );
  const hashed = 'security: {policies: [{mask: {column: customer, method: hash}}]}';
  const rows: readonly (readonly [title: string, sql: string, more: string, isRefused: boolean])[] = [
    ['of groups by their key', groups, 'key: customer', false],
    ['of groups by no name', groups, 'owner: me', false],
    ['of groups by another column', groups, 'key: n', true],
    ['of groups by a key that is masked', groups, hashed, true],
    ['of a join without a key', joined, 'owner: me', true],
    ['of a join by a column', joined, 'key: id', true],
    ['that are joined later', joinedBefore, 'key: id', false],
    ['of records', 'SELECT id, NOW() AS seen FROM {{ source("orders") }}', 'key: id', false],
  ];
  it.each(rows)('%s leaves a job only where they are found again', async (_, sql, more, isRefused) => {
    const { jobs, refused } = await jobsOf('  - name: m', `    ${more}`, `    sql: '${sql}'`);
    const why = refused.get('m')?.refused ?? '';
    expect(why.includes('has another value for a row that is withdrawn')).toBe(isRefused);
    expect(jobs.has('m')).toBe(!isRefused);
  });
});

it.each([
  ['partial', 'customer', /^its rows change, and mask "partial" of their key "customer"/],
  ['"null"', 'customer', /^its rows change, and mask "null" of their key "customer"/],
  ['hash', 'customer', /^$/],
  ['redact', 'n', /^$/],
])(
  'groups with the mask %s have a job with the key %s only where they stay apart',
  async (method, key, why) => {
    const { refused } = await jobsOf(
      `  - name: m\n    key: ${key}\n    security: {policies: [{mask: {column: customer, method: ${method}}}]}`,
      '    sql: "SELECT customer, COUNT(*) AS n FROM {{ source(\'orders\') }} GROUP BY customer"',
    );
    expect(refused.get('m')?.refused ?? '').toMatch(why);
  },
);

it.each([
  ['append rows', 'SELECT id, customer', true],
  ['change rows', 'SELECT DISTINCT id, customer', false],
])(
  'models that %s share them with their readers only where updates stay whole',
  async (_, select, isShared) => {
    const { jobs } = await jobsOf(
      `  - {name: first, sql: "${select} FROM {{ source('orders') }}"}`,
      '  - {name: counted, sql: "SELECT customer, COUNT(*) AS n FROM {{ ref(\'first\') }} GROUP BY customer"}',
    );
    const { statements = [] } = jobs.get('first') ?? {};
    expect(statements.some((sql) => sql.includes('reuse-optimize-block-with-digest'))).toBe(isShared);
  },
);

it('readers share the rows of a view whose UUID() would be another one for each of them', async () => {
  const { jobs } = await jobsOf(
    '  - {name: first, sql: "SELECT id, customer, UUID() AS made FROM {{ source(\'orders\') }}"}',
    '  - {name: counted, sql: "SELECT customer, COUNT(*) AS n FROM {{ ref(\'first\') }} GROUP BY customer"}',
    '  - {name: many, sql: "SELECT customer, n FROM {{ ref(\'counted\') }} WHERE n > 9"}',
  );
  const { statements = [] } = jobs.get('first') ?? {};
  expect(statements.some((sql) => sql.includes('reuse-optimize-block-with-digest'))).toBe(true);
});

describe('a job that reads rows that change', () => {
  it.each(['SELECT *', 'SELECT a', 'SELECT COUNT(*) AS n'])(
    'is refused without their columns: %s',
    async (select) => {
      const { refused } = await jobsOf(
        '  - {name: rows, sql: "SELECT DISTINCT * FROM {{ source(\'loose\') }}"}',
        `  - {name: reader, sql: "${select} FROM {{ ref('rows') }}"}`,
      );
      expect(refused.get('reader')?.refused).toBe(
        'rows of model "rows" change, and not all of their columns are known',
      );
    },
  );

  it.each([
    ['a model that has no job', 'sql: "SELECT id, NOW() AS seen FROM {{ ref(\'groups\') }}"', 'seen'],
    [
      'a virtual topic',
      'sql: "SELECT * FROM {{ ref(\'groups\') }}"\n    advanced: {gateway: {virtual_topic: {name: v}}}',
      'id',
    ],
  ])('finds them by their key in the topic of %s', async (_, between, key) => {
    const { jobs } = await jobsOf(
      '  - {name: groups, sql: "SELECT id, COUNT(*) AS n FROM {{ source(\'orders\') }} GROUP BY id"}',
      `  - name: between\n    key: ${key}\n    ${between}`,
      '  - {name: counted, sql: "SELECT COUNT(*) AS n FROM {{ ref(\'between\') }}"}',
    );
    expect([jobs.has('between'), jobs.get('counted')?.reads[0]?.rows]).toEqual([false, 'upsert']);
    const table = jobs.get('counted')?.statements.find((sql) => sql.startsWith('CREATE TEMPORARY TABLE'));
    expect(table).toContain(`PRIMARY KEY (\`${key}\`) NOT ENFORCED`);
  });
});
