import { lines, type ValidatedFiles, validateFiles } from './validate-files.ts';

const sources = lines(
  'sources:',
  '  - {name: payments, topic: payments.v1}',
  '  - {name: refunds, topic: refunds.v1}',
);

/** The SQL of a model that nothing is wrong with. */
export const select = `sql: 'SELECT id FROM {{ source("payments") }}'`;

/** A model on one line. */
export function model(name: string, rest: string = select): string {
  return `  - {name: ${name}, ${rest}}`;
}

/** A sink on one line. */
export function sink(name: string, config: string, from = '[{source: payments}]'): string {
  return model(name, `from: ${from}, sink: {connector: http-sink, config: {${config}}}`);
}

/** Findings of a project with these models, and two sources. */
export async function modelsSay(
  models: readonly string[],
  more: Readonly<Record<string, string>> = {},
  options: Parameters<typeof validateFiles>[1] = {},
): Promise<ValidatedFiles> {
  const files = { 'sources/s.yml': sources, 'models/m.yml': lines('models:', ...models), ...more };
  return await validateFiles(files, options);
}
