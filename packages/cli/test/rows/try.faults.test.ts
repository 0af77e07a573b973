import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describeEngine, type PlannerVersion } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { judgeCases } from './batch-judge.ts';
import { rowsCases } from './cases/all-cases.ts';
import { hostileSources } from './cases/hostile-sources.ts';
import { sortedRows } from './folded-topic.ts';
import { type Middle, runCases } from './run-cases.ts';

const version = (process.env['ROWS_VERSION'] ?? '2.2.0') as PlannerVersion;
const only = process.env['ROWS_ONLY']?.split(',');
const middles = (process.env['ROWS_MIDDLE'] ?? 'no restart').split(',') as Middle[];
const cases = rowsCases.filter(({ name, quick }) =>
  only === undefined ? true : only.includes(name) || (only.includes('quick') && quick),
);

describeEngine('rows', version, (engine) => {
  describeWithSharedBroker('and a broker', { version: '3.9.1' }, (broker) => {
    it('tries', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'levada-rows-'));
      let text = '';
      const say = (line: string) => {
        text += `${line}\n`;
        process.stdout.write(`${line}\n`);
      };
      try {
        const around = {
          broker: broker(),
          engine: engine(),
          parallelism: Number(process.env['ROWS_PARALLELISM'] ?? 1),
          folder,
        };
        let t = performance.now();
        const batch = await judgeCases(around, cases, hostileSources);
        say(`batch ${Math.round(performance.now() - t)} ms`);
        for (const [name, rows] of batch)
          if (rows instanceof Error) say(`  batch refuses ${name}: ${rows.message.slice(0, 300)}`);
        for (const middle of middles) {
          t = performance.now();
          const outcomes = await runCases({
            ...around,
            run: `try-${middle.replaceAll(' ', '-')}`,
            version: version.slice(0, 3),
            cases,
            sources: hostileSources,
            batch,
            middle,
          });
          say(`${middle} ${Math.round(performance.now() - t)} ms`);
          for (const { name, problem, models } of outcomes) {
            if (problem !== undefined) say(`  PROBLEM ${name}: ${problem.slice(0, 1500)}`);
            for (const { model, rows, expected, judge } of models) {
              const a = sortedRows(rows),
                b = sortedRows(expected);
              const same = JSON.stringify(a) === JSON.stringify(b);
              say(`  ${same ? 'right' : 'WRONG'} ${name}.${model} ${a.length} rows, ${judge}`);
              if (!same) {
                const left = [...b];
                for (const row of a) {
                  const i = left.indexOf(row);
                  if (i < 0) say(`     + ${row}`);
                  else left.splice(i, 1);
                }
                for (const row of left) say(`     - ${row}`);
              }
            }
          }
        }
      } finally {
        await writeFile(process.env['ROWS_OUT'] ?? '/tmp/rows-out.txt', text);
        await rm(folder, { recursive: true, force: true });
      }
      expect(1).toBe(1);
    }, 900_000);
  });
});
