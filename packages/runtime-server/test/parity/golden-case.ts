/** Parts of an answer that are compared. */
export interface GoldenAnswer {
  readonly status: number;
  readonly head: Readonly<Record<string, string>>;
  /** Parsed JSON, or text; undefined when empty. */
  readonly answer: unknown;
}

/** One line of a golden file; README.md says what its fields mean. */
export interface GoldenCase extends Partial<GoldenAnswer> {
  readonly call: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly until?: readonly string[];
  readonly view?: 'validation';
  readonly status: number;
  readonly ours?: Partial<GoldenAnswer> & { readonly why: string };
}

/** What is expected of us: the recorded answer, but for what we do differently on purpose. */
export function expectedAnswer({ status, head = {}, answer, ours }: GoldenCase): GoldenAnswer {
  return {
    status: ours?.status ?? status,
    head: ours?.head ?? head,
    answer: ours !== undefined && 'answer' in ours ? ours.answer : answer,
  };
}

/** Where an answer differs from what is expected, in words; empty when it does not. */
export function differences(expected: GoldenAnswer, actual: GoldenAnswer): readonly string[] {
  return [
    ...(expected.status === actual.status ? [] : [`status ${actual.status} instead of ${expected.status}`]),
    ...headDifferences(expected, actual.head),
    ...valueDifferences(expected.answer ?? undefined, actual.answer, 'body'),
  ];
}

function headDifferences({ head }: GoldenAnswer, actual: GoldenAnswer['head']): readonly string[] {
  return Object.entries(head)
    .filter(([name, value]) => !fitsText(value, actual[name] ?? ''))
    .map(([name, value]) => `${name} "${actual[name] ?? ''}" instead of "${value}"`);
}

function valueDifferences(expected: unknown, actual: unknown, at: string): readonly string[] {
  if (expected === '<any>') return [];
  if (typeof expected === 'string' && typeof actual === 'string' && fitsText(expected, actual)) return [];
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    const found = at.endsWith('.offsets') ? actual.toSorted(byText) : actual;
    return expected.flatMap((item, index) => valueDifferences(item, found[index], `${at}[${index}]`));
  }
  if (isObject(expected) && isObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...names].flatMap((name) =>
      valueDifferences(own(expected, name), own(actual, name), `${at}.${name}`),
    );
  }
  if (Object.is(expected, actual)) return [];
  return [`${at} ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
}

function fitsText(expected: string, actual: string): boolean {
  const [first = '', ...rest] = expected.split('<any>');
  const last = rest.pop();
  if (last === undefined) return expected === actual;
  let at = first.length;
  for (const part of rest) {
    const found = actual.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return actual.startsWith(first) && actual.endsWith(last) && actual.length - last.length >= at;
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
