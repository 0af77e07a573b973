import { describePlanner } from '@levada/test-peers/engine';
import { describe, expect, it } from 'vitest';
import { compile, type JobFile, loadProject, placeInEngineText, projectPlace } from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

/** Queries with a function that only the engine knows to be missing, in every way in which YAML writes text. */
const models = `sources:
  - name: orders
    topic: orders.v1
    columns: [{ name: id, type: STRING }, { name: amount, type: INT }]
models:
  - name: literal
    sql: |
      -- What is near
      SELECT id,
        CAST(NEAR_BY(id) AS STRING) AS near
      FROM {{ source("orders") }}
  - name: folded
    sql: >
      SELECT id,
      CAST(NEAR_BY(id) AS STRING) AS near
      FROM {{ source("orders") }}
  - name: quoted
    sql: "SELECT 'a\\tb' AS \`x\\ty\`, \\
      CAST(NEAR_BY(id) AS STRING) AS near FROM {{ source(\\"orders\\") }}"
  - name: after_macro
    sql: SELECT id FROM {{ source('orders') }} WHERE amount > 1 AND NEAR_BY(id) = 'x'
  - name: masked
    sql: |
      SELECT id, CAST(NEAR_BY(id) AS STRING) AS near FROM {{ source("orders") }}
    security: { policies: [{ mask: { column: id, method: hash } }] }
  - name: with_variable
    sql: |
      SELECT id, '\${REGION}' AS region, CAST(NEAR_BY(id) AS STRING) AS near FROM {{ source("orders") }}
`;
const project = `project: { name: shop }
runtime:
  platform: { bootstrap_servers: "localhost:9092" }
  engine: { clusters: { main: { type: rest } } }
`;

async function jobsOf(): Promise<ReadonlyMap<string, { readonly job: JobFile; readonly script: string }>> {
  const fileSystem = memoryFileSystem({ 'stream_project.yml': project, 'models/m.yml': models });
  const loaded = await loadProject({ fileSystem, environment: { REGION: 'a longer value than its name' } });
  const { files, diagnostics } = compile(loaded, { today: '2025-01-01' });
  const found = [...files].flatMap(([path, text]) => {
    const model = /^jobs\/(.*)\.json$/.exec(path)?.[1];
    const script = files.get(`jobs/${model}.sql`) ?? '';
    return model === undefined ? [] : [[model, { job: JSON.parse(text) as JobFile, script }] as const];
  });
  if (found.length < 6) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return new Map(found);
}

/** Statements of a script, by the first lines that the job says. */
function statementsOf({ statements }: JobFile, script: string): readonly string[] {
  const lines = script.split('\n');
  return statements.map((first, index) =>
    lines
      .slice(first - 1, (statements[index + 1] ?? lines.length + 1) - 1)
      .join('\n')
      .trimEnd()
      .replace(/;$/, ''),
  );
}

/** The place of the function in the query of a model. */
function placeOf(model: string) {
  const lines = models.split('\n');
  const start = lines.findIndex((line) => line.includes(`name: ${model}`));
  const line = lines.findIndex((text, index) => index > start && text.includes('NEAR_BY('));
  return { line: line + 1, column: (lines[line]?.indexOf('NEAR_BY(') ?? -1) + 1 };
}

describePlanner('an error of the engine', '2.2.0', (planner) => {
  it('is found where the project says what it is about', async () => {
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const [model, { job, script }] of await jobsOf()) {
      const answer = await planner().plan(statementsOf(job, script));
      if (answer.ok) throw new Error(`the planner takes ${model}`);
      const said = placeInEngineText(answer.text);
      const place = said && projectPlace(job, { statement: answer.statement + 1, ...said.place });
      if (place?.kind !== 'query') throw new Error(`${model}: ${answer.text}`);
      const { file, line, column, endColumn } = place;
      found.push([model, file, { line, column }, endColumn > column + 'NEAR_BY'.length]);
      expected.push([model, 'models/m.yml', placeOf(model), true]);
    }
    expect(found).toEqual(expected);
    expect(found).toHaveLength(6);
  }, 120_000);
});

describe('a place in a job', () => {
  it('is that of a macro where a table is meant', async () => {
    const { job } = (await jobsOf()).get('literal') ?? {};
    if (job === undefined) throw new Error('no job');
    const from = models.split('\n').findIndex((line) => line.includes('FROM {{')) + 1;
    // INSERT INTO, then the four lines of the query
    expect(projectPlace(job, { line: 5, column: 8 })).toMatchObject({
      kind: 'query',
      line: from,
      column: 12,
    });
  });

  it('is the node of a table, or says that a setting is meant', async () => {
    const { job } = (await jobsOf()).get('literal') ?? {};
    if (job === undefined) throw new Error('no job');
    const at = (statement: number) => projectPlace(job, { statement, line: 1, column: 1 });
    expect([1, 4, 5, 6].map(at)).toEqual([
      { kind: 'setting' },
      { kind: 'setting' },
      { kind: 'table', node: 'source:orders', topic: 'orders.v1' },
      { kind: 'table', node: 'model:literal', topic: 'literal' },
    ]);
    expect([0, 8, 1.5].map(at)).toEqual([undefined, undefined, undefined]);
    expect(projectPlace(job, { statement: 1, line: 9, column: 1 })).toBeUndefined();
  });

  it.each([
    ['SQL parse failed. Encountered "," at line 2, column 5.', { line: 2, column: 5 }],
    [
      "x\nValidation failed. From line 3, column 8 to line 3, column 13: Column 'x' not found\n at y",
      { line: 3, column: 8, end: { line: 3, column: 13 } },
    ],
  ])('is read from what the engine says: %j', (text, place) => {
    const found = placeInEngineText(text);
    expect(found?.place).toEqual(place);
    expect(text.split('\n')).toContain(found?.message);
  });

  it('is not read from a text without one', () => {
    expect(placeInEngineText('at line x, column y')).toBeUndefined();
    expect(placeInEngineText('')).toBeUndefined();
  });
});
