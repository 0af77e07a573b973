import { ConnectorError } from '@levada/connect-runtime-core';
import { logSaying, postExport, spanName, spanNamed } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { otlpSource } from '../src/index.ts';

const LOOPBACK = { address: '127.0.0.1', grpcPort: 0, httpPort: 0 };

describe('otlpSource', () => {
  it('opens ports that the system chooses, reports them in the status, and iterates record by record', async () => {
    const source = otlpSource(LOOPBACK);
    await source.ready();
    const { GrpcPort, HttpPort } = source.status();
    expect([Number(GrpcPort) > 0, Number(HttpPort) > 0, source.health()]).toEqual([
      true,
      true,
      { status: 'up' },
    ]);
    for (const name of ['a', 'b']) await postExport(Number(HttpPort), 'traces', spanNamed(name));
    const names: (string | undefined)[] = [];
    for await (const { value } of source) {
      names.push(spanName(String(value)));
      if (names.length === 2) break;
    }
    expect(names).toEqual(['a', 'b']);
    expect(source.status()['HttpPort']).toBe(0);
    await expect(postExport(Number(HttpPort), 'traces', spanNamed('c'))).rejects.toThrow('fetch failed');
  });

  it('answers an export with ackMode=produced when the loop asks for the next record', async () => {
    const source = otlpSource({ ...LOOPBACK, ackMode: 'produced' });
    await source.ready();
    const port = Number(source.status()['HttpPort']);
    const order: string[] = [];
    const sent = postExport(port, 'logs', logSaying('hello')).then(({ status }) =>
      order.push(`answer ${status}`),
    );
    const iterator = source[Symbol.asyncIterator]();
    await iterator.next();
    order.push('record');
    const next = iterator.next();
    await sent;
    expect(order).toEqual(['record', 'answer 200']);
    await source.close();
    await next;
  });

  it('takes the keys of REST, and refuses all mistakes at once', () => {
    const mistakes = (): unknown =>
      otlpSource.fromConfig({ 'otlp.grpc.port': '1', 'otlp.message.format': 'xml' });
    expect(mistakes).toThrow(ConnectorError);
    expect(mistakes).toThrow(/otlp\.grpc\.port[\s\S]*otlp\.message\.format/);
    expect(() => otlpSource({ httpPort: 80 })).toThrow(/^httpPort: expected a port in 1024-65535$/);
  });
});
