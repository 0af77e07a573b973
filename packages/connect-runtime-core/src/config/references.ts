/** One `${provider:[path:]key}` reference inside a value. */
export interface ConfigReference {
  readonly provider: string;
  /** Empty when the reference has none. */
  readonly path: string;
  readonly key: string;
  /** Place of the `$` in the value. */
  readonly start: number;
  /** Place after the closing brace. */
  readonly end: number;
}

/**
 * The references of a value, from left to right, as Kafka's ConfigTransformer finds them: from `${` to the next `}`, with a
 * colon in between. A path ends at the second colon; a key may hold colons. Takes linear time.
 */
export function findReferences(value: string): readonly ConfigReference[] {
  const found: ConfigReference[] = [];
  let close = -1;
  let colon = -1;
  let start = value.indexOf('${');
  while (start !== -1) {
    const body = start + 2;
    if (close < body) close = value.indexOf('}', body);
    if (colon < body) colon = value.indexOf(':', body);
    if (close === -1 || colon === -1) break;
    if (colon < close) {
      found.push(reference(value, { start, colon, close }));
      start = value.indexOf('${', close + 1);
    } else {
      start = value.indexOf('${', body);
    }
  }
  return found;
}

function reference(
  value: string,
  at: { readonly start: number; readonly colon: number; readonly close: number },
): ConfigReference {
  const provider = value.slice(at.start + 2, at.colon);
  const rest = value.slice(at.colon + 1, at.close);
  const second = rest.indexOf(':');
  return {
    provider,
    path: second === -1 ? '' : rest.slice(0, second),
    key: rest.slice(second + 1),
    start: at.start,
    end: at.close + 1,
  };
}
