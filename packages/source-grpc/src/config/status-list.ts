import type { Validator } from '@levada/connect-runtime-core/config';
import { type StatusName, statusNames } from '@levada/grpc-wire';

/** A list of status codes, by name in any case or by number. OK is none that can fail a task. */
export const statusList: Validator = {
  allowed: 'names or numbers of gRPC status codes other than OK',
  check: (value) => {
    const unknown = (Array.isArray(value) ? value : []).find((text: string) => statusOf(text) === undefined);
    return unknown === undefined
      ? undefined
      : `"${unknown}" is no gRPC status code that a stream can fail with`;
  },
};

/** The codes that a checked list names. */
export function statusesOf(texts: readonly string[]): ReadonlySet<StatusName> {
  return new Set(texts.map(statusOf).filter((name) => name !== undefined));
}

function statusOf(text: string): StatusName | undefined {
  const wanted = text.trim().toUpperCase();
  const name = statusNames.find((known, code) => known === wanted || String(code) === wanted);
  return name === 'OK' ? undefined : name;
}
