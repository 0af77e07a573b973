const hidden = '***';

/** Names of query parameters whose values are secrets. */
const secretName = /token|key|secret|passw|pwd|auth|sign|sig$|credential|session|jwt|ticket/i;

/** A WebSocket URL as it may be shown: user info and the values of query parameters that look secret are masked. Any text is accepted. */
export function redactUrl(text: string): string {
  const withoutUser = text.replace(/^([a-z][a-z0-9+.-]*:[/\\]*)[^/?#]*@/i, `$1${hidden}@`);
  const [before, ...query] = withoutUser.split('?');
  if (query.length === 0) return withoutUser;
  const shown = query.join('?').split('&').map(redactParameter).join('&');
  return `${before}?${shown}`;
}

/** Host, port and path of a URL: what names an endpoint in metrics, without user info and query. */
export function endpointName(text: string): string {
  return text
    .replace(/^[a-z][a-z0-9+.-]*:[/\\]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/^[^/]*@/, '');
}

/** The values that {@link redactUrl} masks in the query, as they are written and decoded. */
export function querySecrets(text: string): readonly string[] {
  const [, ...query] = text.split('?');
  return query
    .join('?')
    .split('&')
    .filter((parameter) => redactParameter(parameter) !== parameter)
    .map((parameter) => parameter.slice(parameter.indexOf('=') + 1))
    .flatMap((value) => [value, decoded(value)]);
}

function redactParameter(parameter: string): string {
  const at = parameter.indexOf('=');
  if (at < 0) return parameter;
  const name = parameter.slice(0, at);
  return secretName.test(decoded(name)) ? `${name}=${hidden}` : parameter;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a broken escape: the name is judged as it is written
  }
}
