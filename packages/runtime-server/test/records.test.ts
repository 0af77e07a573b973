import { describe, expect, it } from 'vitest';
import { startInProcess } from './worker-in-process.ts';

/** The answer to a question for the records of a connector that exists. */
async function recordsAnswer(listener: string): Promise<readonly [status: number, text: string]> {
  const { worker, end } = await startInProcess({ listeners: listener });
  await worker.started;
  const at = `http://127.0.0.1:${new URL(worker.url).port}/connectors`;
  const put = await fetch(`${at}/a/config`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'websocket.url': 'ws://127.0.0.1:1/',
      'platform.topic': 't',
    }),
  });
  expect(put.status).toBe(201);
  expect((await fetch(`${at}/none/records`)).status).toBe(404);
  const answer = await fetch(`${at}/a/records`);
  const found = [answer.status, await answer.text()] as const;
  expect(await end()).toBe(0);
  return found;
}

describe('the records of a connector', () => {
  it('are read from an embedded log', async () => {
    const [status, text] = await recordsAnswer('http://127.0.0.1:0');
    expect([status, JSON.parse(text)]).toEqual([200, { records: [], next: expect.any(String) }]);
  });

  it('are not shown while other machines can ask without authentication', async () => {
    expect(await recordsAnswer('http://0.0.0.0:0')).toEqual([
      403,
      expect.stringContaining('shows no records, because other machines can ask it without authentication'),
    ]);
  });
});
