/** How the rows of a topic say that they change. */
export type TopicRows = 'append' | 'upsert' | 'changes';

/** A topic that a job writes. */
export interface WrittenTopic {
  readonly topic: string;
  readonly rows: TopicRows;
}

/** What the statements of a job say of its topics. */
export interface JobTopics {
  readonly reads: readonly { readonly topic: string; readonly group: string }[];
  readonly writes: readonly WrittenTopic[];
}

/** The topics of a job, from its statements alone. */
export function jobTopics(statements: readonly string[]): JobTopics {
  const tables = new Map(
    statements.flatMap((sql) => {
      const name = /^CREATE TEMPORARY TABLE `((?:[^`]|``)+)`/.exec(sql)?.[1];
      return name === undefined ? [] : [[name, sql] as const];
    }),
  );
  const written = new Set(
    statements.flatMap((sql) => [...sql.matchAll(/INSERT INTO `((?:[^`]|``)+)`/g)].map(([, name]) => name)),
  );
  const options = [...tables].map(([name, sql]) => ({ name, option: (key: string) => option(sql, key) }));
  return {
    reads: options.flatMap(({ option: get }) => {
      const [topic, group] = [get('topic'), get('properties.group.id')];
      return topic === undefined || group === undefined ? [] : [{ topic, group }];
    }),
    writes: options.flatMap(({ name, option: get }) => {
      const topic = get('topic');
      return topic === undefined || !written.has(name) ? [] : [{ topic, rows: rowsOf(get) }];
    }),
  };
}

function rowsOf(get: (key: string) => string | undefined): TopicRows {
  if (get('connector') === 'upsert-kafka') return 'upsert';
  return [get('format'), get('value.format')].includes('debezium-json') ? 'changes' : 'append';
}

function option(sql: string, key: string): string | undefined {
  const at = sql.indexOf(`'${key}' = '`);
  return at < 0 ? undefined : /= '((?:[^']|'')*)'/.exec(sql.slice(at))?.[1]?.replaceAll("''", "'");
}
