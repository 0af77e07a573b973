import type { HostileEntries } from './hostile-case.ts';

/** The project file of {@link soundProject}. */
export const soundProjectFile = `project:
  name: shop
runtime:
  platform:
    bootstrap_servers: localhost:9092
  engine:
    default: main
    clusters:
      main:
        type: rest
`;

/** A project without a mistake: what is put into it is the only reason to refuse it. */
export const soundProject = {
  'stream_project.yml': soundProjectFile,
  'sources/orders.yml': `sources:
  - name: orders
    topic: shop.orders.v1
    columns:
      - {name: id, type: BIGINT}
      - {name: customer, type: STRING}
      - {name: amount, type: "DECIMAL(10, 2)"}
      - {name: placed_at, type: TIMESTAMP(3)}
    event_time:
      column: placed_at
`,
  'models/paid.yml': `models:
  - name: paid
    sql: |
      SELECT id, customer, amount, placed_at
      FROM {{ source("orders") }}
      WHERE amount > 0
`,
  'tests/paid.yml': `tests:
  - name: paid_has_ids
    model: paid
    type: schema
    assertions:
      - not_null: {columns: [id]}
`,
  'exposures/board.yml': `exposures:
  - name: board
    type: dashboard
    consumes:
      - ref: paid
`,
} as const satisfies HostileEntries;

/** The sound project with entries more, or others. */
export function soundWith(entries: HostileEntries): HostileEntries {
  return { ...soundProject, ...entries };
}

/** The sound project with one file of models more. */
export function withFile(text: string): HostileEntries {
  return soundWith({ 'models/hostile.yml': text });
}

/** The sound project with one model more, which has this SQL. */
export function withSql(sql: string): HostileEntries {
  return withFile(`models:\n  - name: hostile\n    sql: ${JSON.stringify(sql)}\n`);
}

/** The sound project with a mistake that every reader can see, beside entries that are fine and unusual. */
export function withMistakeBeside(entries: HostileEntries): HostileEntries {
  return { ...soundWith(entries), 'tests/mistake.yml': 'tests:\n  - {nam: x}\n' };
}
