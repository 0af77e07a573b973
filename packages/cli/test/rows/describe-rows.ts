// This file makes suites and is none.
/* oxlint-disable vitest/no-conditional-tests, vitest/valid-describe-callback, vitest/valid-title, vitest/no-disabled-tests */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describeEngine, type PlannerVersion } from '@levada/test-peers/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgeCases } from './batch-judge.ts';
import { hostileSources } from './cases/hostile-sources.ts';
import { sortedRows } from './folded-topic.ts';
import type { CaseOutcome, ModelOutcome, RowsCase } from './rows-case.ts';
import { type Middle, runCases } from './run-cases.ts';

const RUN_LIMIT_MS = 900_000;

/** How cases run: side by side on one cluster and one broker. */
export interface RowsRun {
  readonly middle: Middle;
  /** Subtasks of each job. With two, each partition of a source is read by its own. */
  readonly parallelism: number;
}

/** What is called with each outcome of a suite. */
export type OutcomeListener = (version: string, run: RowsRun, outcome: CaseOutcome) => void;

/** A suite that runs cases on a version of the engine, and compares what they write with what they must write. */
export function describeRows(
  version: PlannerVersion,
  cases: readonly RowsCase[],
  runs: readonly RowsRun[],
  listener: OutcomeListener = () => {},
): void {
  describeEngine('rows', version, (engine) => {
    describeWithSharedBroker('and a broker', { version: '3.9.1' }, (broker) => {
      const outcomes = new Map<string, CaseOutcome>();
      const placeOf = ({ middle }: RowsRun, name: string) => `${middle} ${name}`;

      beforeAll(async () => {
        const folder = await mkdtemp(join(tmpdir(), 'levada-rows-'));
        try {
          const around = { broker: broker(), engine: engine(), folder, parallelism: 1 };
          const sources = hostileSources;
          const batch = await judgeCases(around, cases, sources);
          for (const run of runs) {
            const names = {
              run: `rows-${version}-${run.middle}`.replaceAll(/\W+/g, '-'),
              version: version.slice(0, 3),
            };
            for (const outcome of await runCases({ ...around, ...names, ...run, cases, sources, batch })) {
              outcomes.set(placeOf(run, outcome.name), outcome);
              listener(version, run, outcome);
            }
          }
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }, RUN_LIMIT_MS * runs.length);

      for (const run of runs) {
        describe(`with ${run.middle} in the middle`, () => {
          for (const one of cases) {
            const title = `writes the right rows for ${one.construct} (${one.name})`;
            const skipped = one.open ?? (run.middle === 'restart without state' ? one.repeated : undefined);
            if (skipped !== undefined) it.skip(`${title}: ${skipped}`, () => {});
            else if (one.refused !== undefined)
              it(`refuses ${one.construct} with ${one.refused}`, () => {
                expect(outcomes.get(placeOf(run, one.name))?.problem).toContain(one.refused);
              });
            else
              it(title, () => {
                const { problem, models = [] } = outcomes.get(placeOf(run, one.name)) ?? {};
                expect(problem).toBeUndefined();
                expect(models).toHaveLength(one.models.length);
                for (const model of models) expect(written(run, model)).toEqual(expected(run, model));
              });
          }
        });
      }
    });
  });
}

/** Rows to be compared. A job that begins again without state repeats what it appends. */
export function written({ middle }: RowsRun, { rows, changes }: ModelOutcome): readonly string[] {
  return middle === 'restart without state' && changes === 'append'
    ? [...new Set(sortedRows(rows))]
    : sortedRows(rows);
}

/** What {@link written} must be. */
export function expected({ middle }: RowsRun, outcome: ModelOutcome): readonly string[] {
  const { expected: rows, changes } = outcome;
  return middle === 'restart without state' && changes === 'append'
    ? [...new Set(sortedRows(rows))]
    : sortedRows(rows);
}
