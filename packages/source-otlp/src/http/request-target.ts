/** What a request asks for. */
export interface RequestTarget {
  readonly path: string;
  /** Of a target in absolute form, which then counts instead of the Host header (RFC 9112, 3.2.2). */
  readonly authority: string | undefined;
}

const absolute = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Reads a request's target; queries are ignored, and nothing is decoded: paths are compared as they are sent. */
export function requestTarget(target: string): RequestTarget {
  if (target.startsWith('/')) return { path: withoutQuery(target), authority: undefined };
  const found = absolute.exec(target);
  if (found === null) return { path: withoutQuery(target), authority: undefined };
  const [, authority, rest = ''] = found;
  return { path: withoutQuery(rest), authority };
}

function withoutQuery(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : target.slice(0, at);
}
