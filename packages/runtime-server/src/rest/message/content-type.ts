/** True for `application/json`, whatever its parameters: JSON is UTF-8 (RFC 8259, 8.1), and Kafka Connect ignores a charset too. */
export function isJsonContent(type: string | undefined): boolean {
  return type?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

/**
 * What to answer with when a route produces `type`: that type, with the parameters that the client wrote after it, as in
 * Kafka Connect. Undefined when the `Accept` header does not allow it; an absent or empty one allows everything.
 */
export function acceptedType(accept: string | undefined, type: string): string | undefined {
  if (accept === undefined || accept.trim() === '') return type;
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  const ranges = accept.toLowerCase().split(',').map(mediaRange);
  const allowed = ranges.filter(
    ({ media, refused }) => !refused && ['*/*', '*', family, type].includes(media),
  );
  const [first] = allowed;
  if (first === undefined) return undefined;
  const { parameters = [] } = allowed.find(({ media }) => media === type) ?? {};
  return [type, ...parameters].join(';');
}

/** The weight that an `Accept` header, or one like it, gives to exactly this value, from 0 to 1; undefined when it is not named. */
export function mediaWeight(accept: string | undefined, type: string): number | undefined {
  for (const range of accept?.toLowerCase().split(',') ?? []) {
    const [media, ...parameters] = range.split(';').map((part) => part.trim());
    if (media !== type) continue;
    const weight = parameters.map((part) => /^q\s*=\s*([\d.]+)$/.exec(part)?.[1]).find(Boolean);
    return weight === undefined ? 1 : Number(weight);
  }
  return undefined;
}

interface MediaRange {
  readonly media: string;
  /** Those of the type itself, without the weight. */
  readonly parameters: readonly string[];
  readonly refused: boolean;
}

function mediaRange(text: string): MediaRange {
  const [media = '', ...rest] = text.split(';').map((part) => part.trim());
  const weight = rest.find((part) => /^q\s*=/.test(part));
  return {
    media,
    // Only what is a plain token may return in a header.
    parameters: rest.filter((part) => /^[a-z-]+=[a-z0-9_.-]+$/.test(part) && !part.startsWith('q=')),
    refused: weight !== undefined && /^q\s*=\s*0(\.0*)?$/.test(weight),
  };
}
