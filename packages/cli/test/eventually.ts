import { waitFor } from '@levada/connect-runtime-core/testing';

/**
 * Repeats a command until what it prints matches, and resolves with that: what a connector does shows a moment after the answer to
 * its change was sent.
 */
export async function eventually(
  command: () => Promise<{ readonly out: string }>,
  shows: RegExp,
): Promise<string> {
  let out = '';
  const isShown = async () => {
    ({ out } = await command());
    return shows.test(out);
  };
  await waitFor(isShown, { timeoutMs: 30_000, what: () => `${shows} in\n${out}` });
  return out;
}
