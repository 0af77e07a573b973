import { lines } from '../validate-support/validate-files.ts';

/** A source with one column of each kind. */
export const classifiedSource = lines(
  'sources:',
  '  - name: raw',
  '    topic: raw.v1',
  '    columns:',
  '      - {name: id, type: BIGINT, classification: internal}',
  '      - {name: email, type: STRING, classification: sensitive}',
  '      - {name: card, type: STRING, classification: highly_sensitive}',
  '      - {name: amount, type: INT, classification: public}',
  '      - {name: seen, type: TIMESTAMP(3), classification: public}',
  '    event_time: {column: seen}',
);

/** A sink that reads a model, with more keys. */
export function sinkOf(from: string, ...more: readonly string[]): string {
  return lines(
    'models:',
    '  - name: out',
    `    from: ${from}`,
    '    sink: {connector: http-sink, config: {a: b}}',
    ...more.map((line) => `    ${line}`),
  );
}

/** A model, with more keys. */
export function model(name: string, sql: string, ...more: readonly string[]): string {
  return lines('models:', `  - name: ${name}`, `    sql: ${sql}`, ...more.map((line) => `    ${line}`));
}
