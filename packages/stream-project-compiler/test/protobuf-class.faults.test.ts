import { describePlanner, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { deployed } from './jobs/compiled-jobs.ts';
import { sourceProject } from './source-forms/source-project.ts';

/** A class that the engine's format brings along: `int64 seconds`, `int32 nanos`. */
const message = 'com.google.protobuf.Duration';
const sources = (nanos: string) => `sources:
  - name: waits
    topic: waits.v1
    schema: {format: protobuf, message_class: ${message}}
    columns: [{name: seconds, type: BIGINT}, {name: nanos, type: ${nanos}}]
`;

for (const version of plannerVersions) {
  describePlanner('Protobuf by class', version, (planner) => {
    /** The answer to a model that copies the waits, in Protobuf of the same form. */
    const planCopy = async (nanos: string) => {
      const sql = 'SELECT seconds, nanos FROM {{ source("waits") }} WHERE seconds > 1';
      const models = [{ name: 'long_waits', sql, schema: { format: 'protobuf' } }];
      const { jobs, refused } = await sourceProject(models, { version, sources: sources(nanos) });
      expect([...refused]).toEqual([]);
      const job = jobs.get('long_waits');
      const statements = job === undefined ? [] : deployed(job);
      expect(statements.filter((sql) => sql.includes(`'${message}'`))).toHaveLength(1);
      // Nothing compiles the schema of the model here
      return planner().plan(statements.map((sql) => sql.replace("'forms.LongWaits'", `'${message}'`)));
    };

    it('the planner reads and writes Protobuf by the class that a table names', async () => {
      expect(await planCopy('INT')).toMatchObject({ ok: true });
    });

    it('the planner refuses columns whose types differ from the fields of the class', async () => {
      const answer = await planCopy('STRING');
      expect(answer.ok ? '' : answer.message).toMatch(/INT\(protobuf\) is not compatible of VARCHAR/);
    });
  });
}
