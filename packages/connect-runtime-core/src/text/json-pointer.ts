/**
 * What a JSON pointer (RFC 6901) leads to in parsed JSON, or undefined when there is nothing. Cut into its steps once, so
 * keep what is returned. A text that is no pointer leads nowhere.
 */
export function pointerValue(pointer: string): (document: unknown) => unknown {
  if (!isJsonPointer(pointer)) return () => undefined;
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return (document) => {
    let target = document;
    for (const step of steps) {
      if (!hasStep(target, step)) return undefined;
      target = target[step];
    }
    return target;
  };
}

/** Whether a text is a JSON pointer (RFC 6901). The empty one means the whole document. */
export function isJsonPointer(text: string): boolean {
  return /^(\/([^~/]|~[01])*)*$/.test(text);
}

function hasStep(target: unknown, step: string): target is Readonly<Record<string, unknown>> {
  if (typeof target !== 'object' || target === null || !Object.hasOwn(target, step)) return false;
  return !Array.isArray(target) || /^(0|[1-9]\d*)$/.test(step);
}
