import { expect, it } from 'vitest';
import { jobTopics } from './job-text.ts';

const source =
  "CREATE TEMPORARY TABLE `in` (\n  `a` INT\n) WITH (\n  'connector' = 'kafka',\n  'topic' = 'in.v1',\n  'properties.group.id' = 'p.out'\n)";

function table(name: string, options: string): string {
  return `CREATE TEMPORARY TABLE \`${name}\` (\n  \`a\` INT\n) WITH (\n  'topic' = '${name}.v1',\n  ${options}\n)`;
}

it('finds the topics that a job reads, with their group, and those that it writes', () => {
  const insert = 'INSERT INTO `out`\nSELECT a FROM `in`';
  expect(jobTopics([source, table('out', "'connector' = 'kafka', 'format' = 'json'"), insert])).toEqual({
    reads: [{ topic: 'in.v1', group: 'p.out' }],
    writes: [{ topic: 'out.v1', rows: 'append' }],
  });
});

it('finds each topic of a statement set, and how its rows say that they change', () => {
  const upsert = table('latest', "'connector' = 'upsert-kafka', 'value.format' = 'json'");
  const changes = table('changes', "'connector' = 'kafka', 'format' = 'debezium-json'");
  const set =
    'EXECUTE STATEMENT SET\nBEGIN\nINSERT INTO `latest`\nSELECT 1;\nINSERT INTO `changes`\nSELECT 2;\nEND';
  expect(jobTopics([source, upsert, changes, set]).writes).toEqual([
    { topic: 'latest.v1', rows: 'upsert' },
    { topic: 'changes.v1', rows: 'changes' },
  ]);
});

it('leaves out tables that have no topic, such as the one that counts rows without a key', () => {
  const counted =
    "CREATE TEMPORARY TABLE `out_null_keys` (\n  `a` INT\n) WITH (\n  'connector' = 'blackhole'\n)";
  expect(jobTopics([counted, 'INSERT INTO `out_null_keys`\nSELECT 1']).writes).toEqual([]);
});
