import type { WorkerClient } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';

/** Whether a name matches a pattern, in which `*` is any text. */
export function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
}

/**
 * The connectors that words name: names as they are, and patterns such as `shop-*`. A pattern that matches nothing is an error, since
 * nothing would be done otherwise.
 */
export async function connectorNames(
  client: WorkerClient,
  words: readonly string[],
): Promise<readonly string[]> {
  if (!words.some((word) => word.includes('*'))) return [...new Set(words)];
  const known = (await client.get('/connectors')) as readonly string[];
  const found = words.flatMap((word) => {
    if (!word.includes('*') || known.includes(word)) return [word];
    const matching = known.filter((name) => matches(word, name)).toSorted();
    if (matching.length > 0) return matching;
    throw new CommandError(
      exitCodes.problems,
      `no connector matches "${word}"`,
      '"levada get connectors" lists them',
    );
  });
  return [...new Set(found)];
}
