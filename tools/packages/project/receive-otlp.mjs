import { deepEqual, equal } from 'node:assert/strict';

/** Sends an export over OTLP/HTTP to the packed package, reads it, then lets everything close. */
export async function receiveOtlp(otlpSource) {
  const source = otlpSource({ address: '127.0.0.1', grpcPort: 0, httpPort: 0 });
  await source.ready();
  const sent = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'hello' } }] }] }] };
  const answer = await fetch(`http://127.0.0.1:${source.status().HttpPort}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  });
  equal(answer.status, 200);
  await answer.arrayBuffer();
  for await (const record of source) {
    equal(record.topic, 'otlp-logs');
    deepEqual(JSON.parse(record.value), sent);
    break;
  }
}
