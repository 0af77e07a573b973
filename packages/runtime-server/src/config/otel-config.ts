import type { ParsedConfig } from '@levada/connect-runtime-core';
import { hiddenText } from '@levada/connect-runtime-core/config';
import type { ConfigCheck } from './config-check.ts';
import type { telemetryKeys } from './telemetry-keys.ts';

type OtelValues = ParsedConfig<typeof telemetryKeys>;

/** An OTLP receiver of the worker's own telemetry. */
export interface OtelConfig {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the resource. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Where telemetry goes; undefined: nowhere. Adds what is wrong to the check. */
export function otelConfig(values: OtelValues, check: ConfigCheck): OtelConfig | undefined {
  const headers = keyValueList(values['otel.exporter.otlp.headers']?.reveal() ?? '');
  const attributes = keyValueList(values['otel.resource.attributes']);
  const problem = 'The value must have the form name=value,name=value';
  // Headers are secret, so their text is not shown.
  if (headers === undefined || !areHeaders(headers))
    check.add('otel.exporter.otlp.headers', problem, hiddenText);
  if (attributes === undefined)
    check.add('otel.resource.attributes', problem, values['otel.resource.attributes']);
  const endpoint = values['otel.exporter.otlp.endpoint'];
  return endpoint === null ? undefined : { endpoint, headers: headers ?? {}, attributes: attributes ?? {} };
}

/** Reads `name=value,name=value`, the form of OpenTelemetry's settings; undefined when a part of it is of another form. */
function keyValueList(text: string): Readonly<Record<string, string>> | undefined {
  const pairs: [string, string][] = [];
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(part) ?? [];
    if (name === undefined || value === undefined) return undefined;
    try {
      pairs.push([decodeURIComponent(name), decodeURIComponent(value.trim())]);
    } catch {
      return undefined;
    }
  }
  return Object.fromEntries(pairs);
}

/** Whether every name can be that of an HTTP header, and every value its value. */
function areHeaders(values: Readonly<Record<string, string>>): boolean {
  return Object.entries(values).every(
    ([name, value]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value),
  );
}
