import { hiddenText, url, type Validator } from '@levada/connect-runtime-core/config';
import { hostName, isLoopback } from '@levada/connect-runtime-core/source-kit';

const webUrl = url('https', 'http');

/** A token endpoint: https, or http on this machine, because a client secret is sent to it. Nothing of it is quoted. */
export const tokenUrl: Validator = {
  allowed: 'https URL, or http URL on this machine',
  verbatim: true,
  check: (value) => {
    const problem = typeof value === 'string' ? urlProblem(value) : undefined;
    return problem === undefined
      ? undefined
      : `Invalid value ${hiddenText} for configuration grpc.oauth2.token.url: ${problem}`;
  },
};

/** A URL as it may be shown: without user, password and query. */
export function shownUrl(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//***@').replace(/\?.*$/s, '?***');
}

function urlProblem(text: string): string | undefined {
  const problem = webUrl.check(text);
  if (problem !== undefined) return problem;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') {
    return 'URL may not hold a user or password, use grpc.oauth2.client.id and grpc.oauth2.client.secret';
  }
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:' && !isLoopback(host))
    return 'URL must begin with https:// unless it is on this machine';
  return hostName.check(host);
}
