import type { MetricObjectName } from '@levada/connect-runtime-core';

/**
 * An object name as JMX writes it: `<domain>:type=<type>,<key>=<value>,...`. As in Kafka, a value is quoted only when it
 * holds something else than letters, digits, `_`, `-`, `%`, `.`, blanks and tabs.
 */
export function metricObjectText(name: MetricObjectName): string {
  const keys = [['type', name.type], ...Object.entries(name.keys)] as const;
  return `${name.domain}:${keys.map(([key, value]) => `${key}=${quoted(value)}`).join(',')}`;
}

function quoted(value: string): string {
  if (/^[\w\-%. \t]*$/.test(value)) return value;
  const escaped = value.replace(/[\\"*?]/g, (char) => `\\${char}`).replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
