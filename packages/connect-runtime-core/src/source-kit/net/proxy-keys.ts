import type { ConfigKey } from '../../config/config-key.ts';
import { hiddenText } from '../../config/secret.ts';
import { optional, type Validator } from '../../config/validators.ts';
import { url } from '../../config/wire-validators.ts';
import { hostName } from './host-name.ts';

const webUrl = url('http', 'https');

/** What is wrong with the URL of a proxy, or undefined. Nothing of it is quoted. */
export function proxyUrlProblem(text: string): string | undefined {
  const problem = webUrl.check(text);
  if (problem !== undefined) return problem;
  const { hostname, username, password, pathname, search } = new URL(text);
  if (username !== '' || password !== '')
    return 'URL may not hold a user or password, there are keys for them';
  if (pathname !== '/' || search !== '') return 'URL may hold nothing after host and port';
  return hostName.check(hostname);
}

/** The value is not shown: who puts a password into it does so by mistake, and must not find it in a log. */
function proxyUrl(key: string): Validator {
  return {
    allowed: 'http:// or https:// URL of a proxy, none',
    verbatim: true,
    check: (value) => {
      if (typeof value !== 'string' || value === '' || value.toLowerCase() === 'none') return undefined;
      const problem = proxyUrlProblem(value);
      return problem === undefined
        ? undefined
        : `Invalid value ${hiddenText} for configuration ${key}: ${problem}`;
    },
  };
}

const userName: Validator = {
  allowed: 'text without a colon',
  check: (value) =>
    typeof value === 'string' && value.includes(':') ? 'User may not contain a colon' : undefined,
};

/** The keys for a proxy of a source, by prefix: `<p>.proxy.url`, `.username`, `.password`. */
export function proxyKeys<const P extends string>(prefix: P) {
  return [
    {
      name: `${prefix}.proxy.url`,
      type: 'string',
      default: null,
      importance: 'low',
      documentation:
        'HTTP proxy (CONNECT) to connect through: http://host:port or https://host:port. none or blank: no proxy. Without it those of the environment count: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, but not for this machine.',
      validator: proxyUrl(`${prefix}.proxy.url`),
      group: 'Proxy',
      dependents: [`${prefix}.proxy.username`, `${prefix}.proxy.password`],
      option: 'proxy.url',
      accepts: ['url'],
      example: "'http://proxy.example:3128'",
    },
    {
      name: `${prefix}.proxy.username`,
      type: 'string',
      default: null,
      importance: 'low',
      documentation: `User for basic authentication at the proxy of ${prefix}.proxy.url.`,
      validator: optional(userName),
      group: 'Proxy',
      option: 'proxy.username',
      example: "'reader'",
    },
    {
      name: `${prefix}.proxy.password`,
      type: 'password',
      default: null,
      importance: 'low',
      documentation: `Password for basic authentication at the proxy of ${prefix}.proxy.url.`,
      group: 'Proxy',
      option: 'proxy.password',
      example: 'process.env.PROXY_PASSWORD',
    },
  ] as const satisfies readonly ConfigKey[];
}
