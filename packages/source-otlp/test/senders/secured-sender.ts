import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '@levada/test-peers/tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTask } from '../running-task.ts';
import { bySignal } from './records-by-signal.ts';
import { type Sender, sentBy } from './sender.ts';

/** Tests of a sender that uses TLS with an authority of its own, a token and gzip at once. */
export function describeSecuredSender(sender: () => Sender): void {
  describe('over TLS, with a token', () => {
    let folder = '';
    const file = (name: string): string => join(folder, name);
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'levada-otlp-senders-'));
      makeCertificates(folder);
    });
    afterAll(() => rmSync(folder, { recursive: true }));
    const secured = (): Readonly<Record<string, string>> => ({
      'otlp.tls.enabled': 'true',
      'otlp.tls.cert.path': file('server.pem'),
      'otlp.tls.key.path': file('server.key'),
      'otlp.auth.tokens': 'open-sesame',
    });

    it.each(['grpc', 'http'] as const)(
      'the exporter delivers over %s to a receiver whose certificate authority it trusts',
      async (transport) => {
        const running = await startTask(secured());
        const port = transport === 'grpc' ? running.grpcPort : running.httpPort;
        const sending = { transport, port, gzip: true, ca: file('ca.pem') };
        expect(await sender().send({ ...sending, token: 'open-sesame' })).toEqual({});
        expect(bySignal(await running.stop())).toEqual(sentBy(sender()));
      },
    );

    it.each(['grpc', 'http'] as const)(
      'the exporter reports a wrong token over %s, and does not try again',
      async (transport) => {
        const running = await startTask(secured());
        const port = transport === 'grpc' ? running.grpcPort : running.httpPort;
        const failed = await sender().send({ transport, port, ca: file('ca.pem'), token: 'wrong' });
        const { signals } = sender();
        expect(Object.keys(failed).toSorted()).toEqual(signals.toSorted());
        expect(running.metrics.read('RejectedUnauthenticated')).toBe(signals.length);
        expect(await running.stop()).toEqual([]);
      },
    );
  });
}
