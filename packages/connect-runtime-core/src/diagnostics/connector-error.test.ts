import { describe, expect, it } from 'vitest';
import { ConnectorError, isConnectorError } from './connector-error.ts';

describe('ConnectorError', () => {
  it('is retriable as its code says by default', () => {
    expect(new ConnectorError('connection_lost', 'gone').retriable).toBe(true);
    expect(new ConnectorError('config_invalid', 'no').retriable).toBe(false);
    expect(new ConnectorError('handshake_rejected', 'no', { retriable: false }).retriable).toBe(false);
  });

  it('has a cause only when there is one', () => {
    expect('cause' in new ConnectorError('internal', 'x')).toBe(false);
    expect(new ConnectorError('internal', 'x', { cause: 'y' }).cause).toBe('y');
  });
});

describe('ConnectorError.from', () => {
  it('keeps a ConnectorError as it is', () => {
    const error = new ConnectorError('fenced', 'x');
    expect(ConnectorError.from(error, 'timeout')).toBe(error);
  });

  it('makes anything else the cause', () => {
    const cause = new TypeError('not a function');
    expect(ConnectorError.from(cause)).toMatchObject({ code: 'internal', message: 'not a function', cause });
    expect(ConnectorError.from('text', 'timeout')).toMatchObject({ code: 'timeout', message: 'text' });
    expect(ConnectorError.from(undefined)).toMatchObject({ code: 'internal', message: 'undefined' });
  });
});

describe('isConnectorError', () => {
  it('knows an error from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), {
      name: 'ConnectorError',
      code: 'fenced',
      retriable: false,
    });
    expect(isConnectorError(foreign)).toBe(true);
  });

  it.each([
    ['an error with a code alone', Object.assign(new Error('x'), { code: 'ENOENT' })],
    ['an object that looks alike', { name: 'ConnectorError', code: 'fenced', retriable: false }],
    ['nothing', undefined],
  ])('does not take %s for one', (_, thrown) => {
    expect(isConnectorError(thrown)).toBe(false);
  });
});
