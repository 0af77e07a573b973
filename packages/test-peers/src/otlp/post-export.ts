/** An answer of the HTTP receiver. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as JSON, where it is JSON. */
  readonly json: unknown;
}

/** Sends an export as OTLP/JSON. */
export async function postExport(
  port: number,
  signal: 'traces' | 'metrics' | 'logs' | 'profiles',
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<PostAnswer> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/${signal}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

/** A trace export with one span of this name. */
export function spanNamed(name: string): { readonly resourceSpans: readonly object[] } {
  const span = {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    name,
    kind: 2,
    startTimeUnixNano: '1544712660000000000',
    endTimeUnixNano: '1544712661000000000',
  };
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
}

/** A log export with one record of this body. */
export function logSaying(text: string): { readonly resourceLogs: readonly object[] } {
  return { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: text } }] }] }] };
}

/** A metric export with one sum of this name, of one data point. */
export function sumNamed(name: string): { readonly resourceMetrics: readonly object[] } {
  const sum = {
    aggregationTemporality: 2,
    isMonotonic: true,
    dataPoints: [{ asInt: '7', timeUnixNano: '1544712660000000000' }],
  };
  return { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name, sum }] }] }] };
}

/** The name of the first span in a record's value. */
export function spanName(value: string): string | undefined {
  const request = JSON.parse(value) as {
    readonly resourceSpans?: readonly {
      readonly scopeSpans?: readonly { readonly spans?: readonly { readonly name?: string }[] }[];
    }[];
  };
  return request.resourceSpans?.[0]?.scopeSpans?.[0]?.spans?.[0]?.name;
}
