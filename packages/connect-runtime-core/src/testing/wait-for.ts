/** How long to wait. */
export interface WaitForOptions {
  /** Real milliseconds until it is given up. Default 5000. */
  readonly timeoutMs?: number;
  /** Said when it is given up; a function is asked then, and can show the state. */
  readonly what?: string | (() => string);
}

/** Real milliseconds between two looks at the condition. */
const LOOK_MS = 2;

/**
 * Resolves with the first value of `condition` that is neither false nor undefined nor null. Rejects when it throws, or when
 * the deadline passes. For what happens by input and output in real time; use instead of sleeping.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitForOptions = {},
): Promise<Exclude<T, false | undefined | null>> {
  const timeoutMs = options.timeoutMs ?? 5000;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined && value !== null) {
      return value as Exclude<T, false | undefined | null>;
    }
    if (performance.now() > deadline)
      throw new Error(`not within ${timeoutMs} ms: ${wanted(condition, options)}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function wanted(condition: () => unknown, { what }: WaitForOptions): string {
  return (typeof what === 'function' ? what() : what) ?? condition.toString();
}
