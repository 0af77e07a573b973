/** A number of a sequence that one connection, or one call, of a feed sent. */
interface Numbered {
  readonly connection: number;
  readonly number: number;
}

/** Text of a message of a feed whose connections count from 0 each. */
export function connectionMessage(connection: number, number: number): string {
  return `<${connection}:${number}>`;
}

/**
 * What is wrong with the records of a connector, in the order of the log. Each connection of the feed counts from 0, and a
 * task has one connection at a time, so that two tasks that produce at the same time show as a connection that continues
 * after a later one began. Repeated and missing numbers within a connection are found too.
 */
export function problemsOfConnections(values: readonly string[]): readonly string[] {
  const problems: string[] = [];
  let last: Numbered = { connection: -1, number: -1 };
  for (const value of values) {
    const found = /<(\d+):(\d+)>/.exec(value);
    if (found === null) {
      problems.push(`not a message of the feed: ${value.slice(0, 100)}`);
      continue;
    }
    const next = { connection: Number(found[1]), number: Number(found[2]) };
    const expected = next.connection === last.connection ? last.number + 1 : 0;
    const place = `${connectionMessage(next.connection, next.number)} after ${connectionMessage(last.connection, last.number)}`;
    if (next.connection < last.connection) problems.push(`two tasks at the same time: ${place}`);
    else if (next.number !== expected)
      problems.push(`${next.number < expected ? 'twice' : 'missing'}: ${place}`);
    last = next;
  }
  return problems;
}

/**
 * What is wrong with the records of a file whose lines count from 0. A task that takes over reads again what was not committed
 * (`takeovers` times at most); from there on, each line follows the one before. No line is missing.
 */
export function problemsOfFile(values: readonly string[], takeovers: number): readonly string[] {
  const problems: string[] = [];
  let last = -1;
  let backwards = 0;
  for (const value of values) {
    const number = Number(value);
    if (number > last + 1) problems.push(`missing: ${number} after ${last}`);
    else if (number <= last) backwards += 1;
    last = number;
  }
  if (backwards > takeovers) problems.push(`read again ${backwards} times after ${takeovers} takeovers`);
  return problems;
}

/** The exports of a sender: how often each was sent, and whether an answer with success came. */
export type SentExports = ReadonlyMap<string, { readonly attempts: number; readonly acknowledged: boolean }>;

/** What is wrong with the records of a receiver: an acknowledged export is missing, or one is stored more often than it was sent. */
export function problemsOfExports(ids: readonly string[], sent: SentExports): readonly string[] {
  const stored = new Map<string, number>();
  for (const id of ids) stored.set(id, (stored.get(id) ?? 0) + 1);
  const problems: string[] = [];
  for (const [id, { attempts, acknowledged }] of sent) {
    const count = stored.get(id) ?? 0;
    if (acknowledged && count === 0) problems.push(`missing: ${id}`);
    if (count > attempts) problems.push(`stored ${count} times, sent ${attempts} times: ${id}`);
  }
  return problems;
}
