import { type PlannerVersion, plannerVersions } from '@levada/test-peers/engine';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { queryProject } from './engine-queries/query-project.ts';
import { accepts, refusals } from './engine-queries/refusals.ts';
import { compileFiles } from './resolve-support/compile-files.ts';

const queries = refusals.map(({ sql }) => sql);

/** Code and line within the query of the first error of each query. */
async function firstErrors(version: PlannerVersion): Promise<readonly (string | undefined)[]> {
  const files = queryProject(queries, version);
  const models = stringify(JSON.parse(files['models/m.yml'] ?? ''), { lineWidth: 0 });
  const lines = models.split('\n');
  const { diagnostics } = await compileFiles({ ...files, 'models/m.yml': models });
  return queries.map((_, index) => {
    // The query begins on the line after "sql: |-"
    const start = lines.indexOf(`  - name: m${index}`) + 2;
    const first = diagnostics.find(
      ({ object, severity }) => object === `model:m${index}` && severity === 'error',
    );
    return first === undefined ? undefined : `${first.code} at line ${first.range.start.line - start}`;
  });
}

describe('what planners refuse is an error at its line', () => {
  test.each(plannerVersions)('on engine %s', async (version) => {
    const found = await firstErrors(version);
    const rows = refusals.map((refusal, index) => ({
      sql: refusal.sql,
      wanted: accepts(refusal, version) ? undefined : `${refusal.code} at line ${refusal.line}`,
      found: found[index],
    }));
    expect(rows.filter((row) => row.found !== row.wanted)).toEqual([]);
  });
});
