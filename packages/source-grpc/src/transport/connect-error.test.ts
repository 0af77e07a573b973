import { describe, expect, it } from 'vitest';
import { connectError } from './connect-error.ts';

const endpoint = { host: '127.0.0.1', port: 9090 };

describe('connectError', () => {
  it('shows no control characters of names that a server chose', () => {
    const thrown = Object.assign(new Error("Host: a. is not cert's CN: \u001b[31mx\ny"), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(connectError(thrown, { endpoint })).toMatchObject({
      code: 'connection_failed',
      message:
        "cannot connect to 127.0.0.1:9090: its certificate is for another name: Host: a. is not cert's CN: \\u001b[31mx\\u000ay; connect by a name that the certificate has, or set grpc.authority to one",
    });
  });

  it('reports the failure of each address of a name', () => {
    const thrown = new AggregateError([
      new Error('connect ECONNREFUSED ::1'),
      new Error('connect ETIMEDOUT'),
    ]);
    const { message } = connectError(thrown, { endpoint });
    expect(message).toBe('cannot connect to 127.0.0.1:9090: connect ECONNREFUSED ::1, connect ETIMEDOUT');
  });
});
