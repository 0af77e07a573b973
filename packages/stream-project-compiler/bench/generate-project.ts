import { writeProjectFile } from './generated-project-file.ts';
import { createRandom, type Random } from './seeded-random.ts';

/** How a project is made up. The same options always give the same bytes. */
export interface GenerateOptions {
  /** Number of models; there is one source for ten of them, a test for four, an exposure for twenty. */
  readonly models: number;
  readonly seed?: number;
}

/** What is made for each file: definitions of one kind. */
const perFile = { sources: 10, models: 10, tests: 20, exposures: 20 } as const;

/** A model whose columns are those of {@link plainColumns}, so that any other may read it. */
interface Made {
  readonly plain: string[];
  readonly all: string[];
}

const plainColumns = 'id, customer_id, amount, status, created_at';
const owners = ['billing', 'logistics', 'fraud', 'growth', 'platform'] as const;

/** A valid project, text by path: sources with columns, jobs with windows and joins, topics, sinks, tests and exposures. */
export function generateProject({ models, seed = 1 }: GenerateOptions): ReadonlyMap<string, string> {
  const random = createRandom(seed);
  const sources = Math.max(1, Math.ceil(models / 10));
  const made: Made = { plain: [], all: [] };
  const texts = {
    sources: numbered(sources, sourceText),
    models: numbered(models, (index) => modelText({ index, sources, random, made })),
    tests: numbered(Math.floor(models / 4), (index) => testText(index, random.pick(made.plain))),
    exposures: numbered(Math.floor(models / 20), (index) => exposureText(index, random.pick(made.all))),
  };
  const files = new Map([['stream_project.yml', writeProjectFile(models)]]);
  for (const kind of ['sources', 'models', 'tests', 'exposures'] as const) {
    for (let at = 0; at < texts[kind].length; at += perFile[kind]) {
      const path = `${kind}/area${Math.floor(at / 100)}/${kind}_${at}.yml`;
      files.set(path, `${kind}:\n${texts[kind].slice(at, at + perFile[kind]).join('')}`);
    }
  }
  return files;
}

function numbered(count: number, make: (index: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function sourceText(index: number): string {
  return `  - name: source_${index}
    topic: shop.source-${index}.v1
    description: Rows of table ${index}
    owner: ${owners[index % owners.length]}
    tags: [table, area_${index % 7}]
    schema: {registry: default, subject: shop.source-${index}.v1-value, format: avro}
    columns:
      - {name: id, type: BIGINT, classification: internal}
      - {name: customer_id, type: BIGINT, classification: internal}
      - {name: amount, type: "DECIMAL(10, 2)", classification: internal}
      - {name: status, type: STRING, classification: public}
      - {name: note, type: STRING, classification: public}
      - {name: created_at, type: TIMESTAMP(3), classification: public}
      - {name: __deleted, type: BOOLEAN, classification: internal}
    freshness: {max_lag_seconds: 300, warn_after_seconds: 60}
    event_time:
      column: created_at
      watermark: {strategy: bounded_out_of_orderness, max_out_of_orderness_ms: ${1000 * (1 + (index % 9))}}
`;
}

interface ModelPlan {
  readonly index: number;
  readonly sources: number;
  readonly random: Random;
  readonly made: Made;
}

/** Of ten models four read a source, two join, two count in windows, one works on rows, one writes elsewhere. */
function modelText({ index, sources, random, made }: ModelPlan): string {
  const name = `model_${index}`;
  const upstream = () => random.pick(made.plain);
  const form = made.plain.length === 0 ? 0 : index % 10;
  const source = Math.min(sources - 1, Math.floor(index / 10));
  const body =
    form < 4
      ? fromSource(source)
      : form < 6
        ? joined(upstream(), upstream())
        : form < 8
          ? windowed(upstream())
          : form === 8
            ? rowByRow(upstream())
            : sinkOf(name, upstream());
  if (form < 6 || form === 8) made.plain.push(name);
  made.all.push(name);
  return `  - name: ${name}
    description: What area ${index % 7} knows of table ${source}
    owner: ${owners[index % owners.length]}
    tags: [daily, area_${index % 7}]
${body}${form === 9 ? '' : topicOf(index, form >= 4 && form < 8)}`;
}

function topicOf(index: number, job: boolean): string {
  const engine = job ? '      engine: {parallelism: 2, state_ttl_ms: 86400000}\n' : '';
  return `    advanced:
${engine}      topic:
        name: shop.model-${index}.v1
        partitions: ${3 + (index % 4)}
        config: {retention.ms: 604800000, cleanup.policy: delete}
`;
}

function fromSource(source: number): string {
  return `    sql: |
      -- Rows that were not deleted
      SELECT ${plainColumns}
      FROM {{ source("source_${source}") }}
      WHERE __deleted = FALSE AND amount > 0
`;
}

function joined(left: string, right: string): string {
  return `    sql: |
      SELECT a.id, a.customer_id, a.amount, COALESCE(b.status, a.status) AS status, a.created_at
      FROM {{ ref("${left}") }} AS a
      JOIN {{ ref("${right}") }} AS b
        ON a.customer_id = b.customer_id
        AND b.created_at BETWEEN a.created_at - INTERVAL '1' HOUR AND a.created_at
`;
}

function windowed(input: string): string {
  return `    sql: |
      SELECT window_start, window_end, customer_id, COUNT(*) AS events, SUM(amount) AS total
      FROM TABLE(TUMBLE(TABLE {{ ref("${input}") }}, DESCRIPTOR(created_at), INTERVAL '5' MINUTE))
      GROUP BY window_start, window_end, customer_id
`;
}

function rowByRow(input: string): string {
  return `    sql: |
      SELECT id, customer_id, amount,
        CASE WHEN amount > 1000 THEN 'large' WHEN status = 'new' THEN 'new' ELSE UPPER(status) END AS status,
        created_at
      FROM {{ ref("${input}") }}
`;
}

function sinkOf(name: string, input: string): string {
  return `    from: [{ref: ${input}}]
    sink:
      connector: http-sink
      config:
        tasks.max: 2
        connection.url: jdbc:database://localhost/${name}
        connection.password: \${SINK_PASSWORD:-}
`;
}

function testText(index: number, model: string): string {
  return `  - name: test_${index}
    model: ${model}
    type: ${index % 3 === 0 ? 'continuous' : 'sample'}
    assertions:
      - not_null: {columns: [id, customer_id]}
      - accepted_values: {column: status, values: [new, paid, large]}
      - range: {column: amount, min: 0, max: 100000}
`;
}

function exposureText(index: number, model: string): string {
  return `  - name: exposure_${index}
    type: ${index % 2 === 0 ? 'dashboard' : 'application'}
    role: consumer
    owner: ${owners[index % owners.length]}
    consumes: [{ref: ${model}}]
`;
}
