import { waitFor } from '@levada/connect-runtime-core/testing';
import { logSaying, postExport, spanNamed, sumNamed } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { signalAttributes } from '../../src/model/metrics.ts';
import { type RunningTask, startTask } from '../running-task.ts';
import { bySignal } from './records-by-signal.ts';
import { type Sender, sentBy, type Transport } from './sender.ts';

/** Tests of a sender without TLS. */
export function describeDeliveringSender(sender: () => Sender): void {
  describe.each<Transport>(['grpc', 'http'])('over %s', (transport) => {
    const portOf = ({ grpcPort, httpPort }: RunningTask): number =>
      transport === 'grpc' ? grpcPort : httpPort;

    it.each([false, true])('the exporters deliver what was sent, with gzip: %s', async (gzip) => {
      const running = await startTask();
      expect(await sender().send({ transport, port: portOf(running), gzip })).toEqual({});
      expect(bySignal(await running.stop())).toEqual(sentBy(sender()));
    });

    it('the exporters are refused by full queues, and deliver all when there is room again', async () => {
      const running = await startTask({ 'otlp.message.queue.size': '1' });
      const { metrics, httpPort } = running;
      await postExport(httpPort, 'traces', spanNamed('before'));
      await postExport(httpPort, 'metrics', sumNamed('before'));
      await postExport(httpPort, 'logs', logSaying('before'));
      const sent = sender().send({ transport, port: portOf(running) });
      const dropped = sender().signals.map((signal) => signalAttributes[signal].dropped);
      await waitFor(() => dropped.every((name) => metrics.read(name) > 0), { timeoutMs: 15_000 });
      const before = await running.take(3);
      expect(before.map(({ topic }) => topic).toSorted()).toEqual([
        'otlp-logs',
        'otlp-metrics',
        'otlp-traces',
      ]);
      expect(await sent).toEqual({});
      expect(bySignal(await running.stop())).toEqual(sentBy(sender()));
      expect(metrics.read('TotalMessagesReceived') - metrics.read('TotalMessagesDropped')).toBe(
        3 + dropped.length,
      );
    });
  });
}
