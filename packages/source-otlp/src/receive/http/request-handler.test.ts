import { expect, it } from 'vitest';
import { requestTarget } from './request-handler.ts';

it.each([
  ['/v1/traces', '/v1/traces', undefined],
  ['/v1/traces?a=/b?c', '/v1/traces', undefined],
  ['/v1/traces/', '/v1/traces/', undefined],
  ['/v1/traces#x', '/v1/traces#x', undefined],
  ['//v1/traces', '//v1/traces', undefined],
  ['/v1/%74races', '/v1/%74races', undefined],
  ['http://host:4318/v1/traces?x', '/v1/traces', 'host:4318'],
  ['HTTPS://host/v1/traces', '/v1/traces', 'host'],
  ['http://host', '', 'host'],
  ['http://host?x=/v1/traces', '', 'host'],
  ['http:/v1/traces', 'http:/v1/traces', undefined],
  ['ftp://host/v1/traces', 'ftp://host/v1/traces', undefined],
  ['*', '*', undefined],
  ['', '', undefined],
])("requestTarget reads '%s' as the path '%s' of the authority %s", (target, path, authority) => {
  expect(requestTarget(target)).toStrictEqual({ path, authority });
});
