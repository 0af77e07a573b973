import { expect, it } from 'vitest';
import { openTestReceiver } from './http-receiver.ts';

it('takes an export in protobuf', async () => {
  const { intake, url } = await openTestReceiver();
  const response = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf' },
    body: Buffer.from('spans'),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/x-protobuf');
  expect(await response.text()).toBe('');
  expect(intake.seen).toMatchObject([{ form: 'protobuf', releases: 1 }]);
  expect(Buffer.from(intake.seen[0]?.body ?? []).toString()).toBe('spans');
});
