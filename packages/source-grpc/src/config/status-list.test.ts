import { describe, expect, it } from 'vitest';
import { statusesOf, statusList } from './status-list.ts';

describe('a list of status codes', () => {
  it('names codes in any case, or by number', () => {
    expect(statusesOf(['UNIMPLEMENTED', 'unauthenticated', '7', ' 5 '])).toEqual(
      new Set(['UNIMPLEMENTED', 'UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND']),
    );
    expect(statusesOf([])).toEqual(new Set());
    expect(statusList.check(['DATA_LOSS', '16'])).toBeUndefined();
    expect(statusList.check([])).toBeUndefined();
  });

  it.each(['OK', '0', '17', '-1', '1.0', 'UNKNOWN_CODE', '', 'toString', '__proto__'])(
    'does not have %j',
    (text) => {
      expect(statusList.check(['DATA_LOSS', text])).toBe(
        `"${text}" is no gRPC status code that a stream can fail with`,
      );
    },
  );
});
