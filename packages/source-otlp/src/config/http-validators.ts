import type { Validator } from '@levada/connect-runtime-core/config';

/** Names of HTTP headers, in any case. */
export const headerNames: Validator = {
  allowed: 'header name,header name',
  check: (value) => {
    const names = Array.isArray(value) ? (value as readonly string[]) : [];
    return names.every((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      ? undefined
      : 'List may hold only names of headers, such as x-tenant-id';
  },
};

/** A path of a URL, without query; matched exactly. */
export const httpPath: Validator = {
  allowed: 'path that begins with /',
  check: (value) =>
    typeof value !== 'string' || /^\/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*$/.test(value)
      ? undefined
      : 'Path must begin with / and have no query, blank or fragment',
};

/** Origins as browsers send them, `https://*.shop.example` for all hosts below one, or `*` alone. */
export const originList: Validator = {
  allowed: 'origin, origin with *. before the host, or *',
  check: (value) => {
    const origins = Array.isArray(value) ? (value as readonly string[]) : [];
    const fits = origins.every((origin) => origin === '*' || isOrigin(origin));
    if (!fits) {
      return 'List may hold only origins, such as https://shop.example or https://*.shop.example, or *';
    }
    return origins.includes('*') && origins.length > 1 ? 'List may hold * alone' : undefined;
  },
};

function isOrigin(text: string): boolean {
  const host = text.replace(/^(https?:\/\/)\*\.(?=[^.*])/i, '$1');
  return !host.includes('*') && URL.canParse(host) && new URL(host).origin === host.toLowerCase();
}
