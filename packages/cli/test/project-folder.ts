import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Files by path below the project's folder. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** A folder with these files, until the test ends. */
export async function projectFolder(files: ProjectFiles): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-project-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFiles(folder, files);
  return folder;
}

/** Writes files into a folder. */
export async function writeFiles(folder: string, files: ProjectFiles): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** A small project without a finding. */
export const shop: ProjectFiles = {
  'stream_project.yml': `project:
  name: shop
  version: 1.0.0
runtime:
  platform:
    bootstrap_servers: localhost:9092
  engine:
    clusters:
      main: { type: docker }
  connect:
    clusters:
      local: { rest_url: http://localhost:8083 }
defaults:
  topic:
    partitions: 6
    replication_factor: 1
`,
  'sources/raw.yml': `sources:
  - name: orders_raw
    topic: orders.raw.v1
    owner: team-shop
    tags: [orders]
    columns:
      - name: id
        type: STRING
        classification: internal
      - name: amount
        type: DECIMAL(10, 2)
      - name: ts
        type: TIMESTAMP(3)
    event_time:
      column: ts
`,
  'models/orders.yml': `models:
  - name: orders_clean
    description: Orders that are real
    owner: team-shop
    tags: [orders, clean]
    sql: |
      SELECT id, amount, ts
      FROM {{ source("orders_raw") }}
      WHERE amount > 0
  - name: hourly_revenue
    advanced:
      topic:
        partitions: 3
    sql: |
      SELECT window_start, SUM(amount) AS revenue
      FROM TABLE(TUMBLE(TABLE {{ ref("orders_clean") }}, DESCRIPTOR(ts), INTERVAL '1' HOUR))
      GROUP BY window_start, window_end
  - name: orders_warehouse
    from:
      - ref: orders_clean
    sink:
      connector: warehouse-sink
      config:
        tasks.max: 1
`,
  'tests/orders.yml': `tests:
  - name: orders_are_keyed
    model: orders_clean
    type: sample
    assertions:
      - not_null: { columns: [id] }
`,
  'exposures/board.yml': `exposures:
  - name: revenue_board
    type: dashboard
    role: consumer
    consumes:
      - ref: hourly_revenue
`,
};
