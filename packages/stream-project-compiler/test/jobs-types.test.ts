import { expect, it } from 'vitest';
import { commonTypes, jsonTypes, otherTypes, typedJobs } from './jobs/typed-projects.ts';

const refused = async (types: readonly string[], format: 'json' | 'avro') => {
  const made = await typedJobs('2.2', types, format);
  const names = [...made.refused.keys()].map((name) => Number(name.slice(1).split('_')[0]));
  return [...new Set(names)].map((at) => types[at]);
};

it('refuses jobs with types that the format of their values does not have', async () => {
  expect(await refused([...commonTypes, ...jsonTypes], 'json')).toEqual([]);
  expect(await refused(commonTypes, 'avro')).toEqual([]);
  expect(await refused(jsonTypes, 'avro')).toEqual(jsonTypes);
  expect(await refused(otherTypes, 'json')).toEqual(otherTypes);
  expect(await refused(otherTypes, 'avro')).toEqual(otherTypes);
});

it('names the column and the type', async () => {
  const { refused: reasons } = await typedJobs('2.2', ['ROW<a TIMESTAMP_LTZ(3)>'], 'avro');
  expect(reasons.get('t0_keyed')).toMatchObject({
    refused: 'the engine has no Avro for values of type TIMESTAMP_LTZ(3), and column "c" of "s0" has some',
    hint: 'declare it as the schema has it, times as TIMESTAMP(3)',
  });
});
