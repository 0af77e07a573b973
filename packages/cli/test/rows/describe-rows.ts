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
              version: version.split('.').slice(0, 2).join('.'),
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
            if (one.refused !== undefined) {
              it(`refuses ${one.construct} with ${one.refused}`, () => {
                expect(outcomes.get(placeOf(run, one.name))?.problem).toContain(one.refused);
              });
              continue;
            }
            if (one.wrong !== undefined) {
              it(`reports ${one.construct} with ${one.wrong}`, () => {
                expect(outcomes.get(placeOf(run, one.name))?.findings).toContain(one.wrong);
              });
              continue;
            }
            it(title, () => {
              const { problem, models = [], findings } = outcomes.get(placeOf(run, one.name)) ?? {};
              expect(problem).toBeUndefined();
              expect(models).toHaveLength(one.models.length);
              for (const model of models) expect(comparedRows(run, model)).toEqual(expected(run, model));
              const isSaid = models.some((model) => isContradicted(run, model)) ? [WITHOUT_KEY] : [];
              expect(findings).toEqual(expect.arrayContaining(isSaid));
            });
          }
        });
      }
    });
  });
}

/** The finding about rows that change and have no key. */
export const WITHOUT_KEY = 'LV4004';

/** Whether rows of a first run stay in the topic for good, because a job without their state cannot take them back. */
export function isContradicted({ middle }: RowsRun, { changes }: Pick<ModelOutcome, 'changes'>): boolean {
  return middle === 'restart without state' && changes === 'changes';
}

/** Rows to be compared: those that are written, or only the right ones of them where others stay from a first run. */
function comparedRows(run: RowsRun, model: ModelOutcome): readonly string[] {
  if (!isContradicted(run, model)) return written(run, model);
  const found = new Set(written(run, model));
  return expected(run, model).filter((row) => found.has(row));
}

/** Rows that are written. A job that begins again without state repeats what it appends, beside rows with a key as well. */
export function written(run: RowsRun, { rows, changes }: ModelOutcome): readonly string[] {
  return comparable(run, { rows, changes });
}

/** What {@link written} must be. */
export function expected(run: RowsRun, { expected: rows, changes }: ModelOutcome): readonly string[] {
  return comparable(run, { rows, changes });
}

function comparable(
  { middle }: RowsRun,
  { rows, changes }: Pick<ModelOutcome, 'rows' | 'changes'>,
): readonly string[] {
  const sorted = sortedRows(rows);
  return middle === 'restart without state' && changes !== 'changes' ? [...new Set(sorted)] : sorted;
}
