import { expect, it } from 'vitest';
import { brokerError, errorText } from './broker-errors.ts';

it('the end of a transaction that the broker requires to be aborted is a permanent failure', () => {
  expect(errorText(120)).toBe('the transaction has to be aborted (TRANSACTION_ABORTABLE)');
  const error = brokerError({ errorCode: 120, what: 'cannot commit the transactions of "t"' });
  expect(error).toMatchObject({
    code: 'log_unavailable',
    message: /^cannot commit .* \(TRANSACTION_ABORTABLE\)$/,
  });
});
