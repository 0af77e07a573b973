/** Longest trace, in characters. */
const LONGEST = 8192;
/** Causes of causes that are shown. */
const DEEPEST = 5;

/**
 * What went wrong as Kafka Connect shows it in `trace`: `<class>: <message>` in the first line, then the stack, then each
 * cause. `scrub` takes known secrets out.
 */
export function traceOf(thrown: unknown, scrub: (text: string) => string = (text) => text): string {
  const parts: string[] = [];
  let next: unknown = thrown;
  for (let depth = 0; depth < DEEPEST && next !== undefined && next !== null; depth += 1) {
    parts.push(`${depth === 0 ? '' : 'Caused by: '}${describe(next)}`);
    next = next instanceof Error ? next.cause : undefined;
  }
  return scrub(parts.join('\n')).slice(0, LONGEST);
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `Error: ${typeof thrown === 'string' ? thrown : 'unknown failure'}`;
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [`${thrown.name}: ${thrown.message}`, ...frames].join('\n');
}
