import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MetricGroup, type RawConfig, type SourceRecord } from '@levada/connect-runtime-core';
import {
  createManualClock,
  createRecordingLogger,
  type ManualClock,
  waitFor,
} from '@levada/connect-runtime-core/testing';
import { freePorts } from '@levada/kafka-testkit';
import { logSaying, postExport, spanName, spanNamed } from '@levada/test-peers/otlp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { otlpSourceConnector } from '../src/connector.ts';
import { otlpMetrics } from '../src/model/metrics.ts';
import { openSpool } from '../src/spool/open-spool.ts';
import { OtlpTask } from '../src/task.ts';
import { drain, startTask, testConfig, texts } from './running-task.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const spoolIn = (folder: string): RawConfig => ({ 'otlp.ack.mode': 'spool', 'otlp.spool.path': folder });

/** The file of the spool of traces. */
async function segmentIn(folder: string): Promise<string> {
  const [segment] = (await readdir(join(folder, 'traces'))).filter((name) => name.endsWith('.spool'));
  return join(folder, 'traces', segment ?? 'no segment');
}

/** Moves the clock until something has happened. */
async function advanceUntil(clock: ManualClock, event: Promise<unknown>): Promise<void> {
  let happened = false;
  void event.then(() => {
    happened = true;
  });
  await waitFor(async () => {
    await clock.advance(100);
    return happened;
  });
}

describe('the spool of an OTLP task', () => {
  it('a task releases the spool of a task that is stopped while it starts', async () => {
    const folder = newFolder();
    const blocker = createServer();
    const [port = 0] = await freePorts(1);
    await new Promise<void>((resolve) => blocker.listen(port, '127.0.0.1', resolve));
    const clock = createManualClock();
    const task = new OtlpTask();
    const started = task.start(
      otlpSourceConnector.config.parse(
        testConfig({ ...spoolIn(folder), 'otlp.any.port': 'http', 'otlp.grpc.port': String(port) }),
      ),
      {
        connectorName: 'telemetry',
        taskId: 0,
        logger: createRecordingLogger(),
        metrics: new MetricGroup(otlpMetrics),
        offsets: { offset: async () => undefined },
        clock,
        signal: new AbortController().signal,
        emit: () => undefined,
      },
    );
    await waitFor(() => clock.nextInMs === 100);
    await task.stop();
    await new Promise((resolve) => blocker.close(resolve));
    await advanceUntil(clock, started);
    expect(await drain(task)).toEqual([]);
    await task.stop();
    await (await startTask(spoolIn(folder))).stop();
  });

  it('a task waits for the spool while the previous task still holds it', async () => {
    const folder = newFolder();
    const clock = createManualClock();
    const before = await openSpool({ folder: join(folder, 'traces'), maxBytes: 2 ** 20, clock });
    const started = startTask(spoolIn(folder), { clock });
    await waitFor(() => clock.nextInMs === 100);
    await before.close();
    await advanceUntil(clock, started);
    const running = await started;
    expect(running.logger.withEvent('spool_opened')).toHaveLength(3);
    await running.stop();
  });

  it('a task releases a spool that could not be read, and loses nothing', async () => {
    const folder = newFolder();
    const first = await startTask(spoolIn(folder));
    await postExport(first.httpPort, 'traces', spanNamed('a'));
    const path = await segmentIn(folder);
    renameSync(path, `${path}.away`);
    await expect(first.poll()).rejects.toThrow('spool');
    await first.task.stop();
    renameSync(`${path}.away`, path);
    const second = await startTask(spoolIn(folder));
    expect(texts(await second.take(1)).map(spanName)).toEqual(['a']);
    await second.stop();
  });

  it('a task produces what is spooled for a signal that is no longer received', async () => {
    const folder = newFolder();
    const first = await startTask(spoolIn(folder));
    await postExport(first.httpPort, 'logs', logSaying('kept'));
    await first.stop();
    const second = await startTask({ ...spoolIn(folder), 'otlp.signals': 'traces' });
    const [record] = await second.take(1);
    expect([record?.topic, texts([record as SourceRecord])[0]]).toEqual([
      'otlp-logs',
      expect.stringContaining('kept'),
    ]);
    expect((await postExport(second.httpPort, 'logs', logSaying('new'))).status).toBe(404);
    await second.stop();
  });

  it('a task produces spooled records before later ones in another mode', async () => {
    const folder = newFolder();
    const first = await startTask(spoolIn(folder));
    await postExport(first.httpPort, 'traces', spanNamed('old'));
    await first.stop();
    const second = await startTask({ 'otlp.spool.path': folder });
    await postExport(second.httpPort, 'traces', spanNamed('new'));
    expect(texts(await second.take(2)).map(spanName)).toEqual(['old', 'new']);
    await second.stop();
  });

  it('a task leaves nothing unaccounted for when the next task takes over what a task left', async () => {
    const folder = newFolder();
    const first = await startTask(spoolIn(folder));
    const { metrics } = first;
    for (const name of ['a', 'b', 'c']) await postExport(first.httpPort, 'traces', spanNamed(name));
    await first.stop();
    expect([metrics.read('SpooledCount'), metrics.read('UnaccountedCount')]).toEqual([3, 0]);
    for (const left of [3, 4]) {
      const next = await startTask(spoolIn(folder), { metrics });
      expect([metrics.read('SpooledCount'), metrics.read('MessagesReplayed')]).toEqual([left, 0]);
      await postExport(metrics.read('HttpPort'), 'traces', spanNamed('more'));
      expect(metrics.read('UnaccountedCount')).toBe(0);
      await next.stop();
    }
  });

  it('a task counts and logs what turns out to be damaged', async () => {
    const folder = newFolder();
    const running = await startTask(spoolIn(folder));
    for (const name of ['first', 'second', 'third'])
      await postExport(running.httpPort, 'traces', spanNamed(name));
    const path = await segmentIn(folder);
    const content = readFileSync(path);
    content.write('SECOND', content.indexOf('second'));
    writeFileSync(path, content);
    expect(texts(await running.take(2)).map(spanName)).toEqual(['first', 'third']);
    const { metrics, logger } = running;
    expect([metrics.read('DroppedSpoolDamaged'), metrics.read('SpooledCount')]).toEqual([1, 0]);
    expect(logger.withEvent('spool_damaged')).toHaveLength(1);
    await running.stop();
  });

  it('a task does not count spooled messages in the utilization of the queues', async () => {
    const running = await startTask({ ...spoolIn(newFolder()), 'otlp.message.queue.size': '2' });
    for (const name of ['a', 'b', 'c']) await postExport(running.httpPort, 'traces', spanNamed(name));
    expect(running.metrics.read('TracesQueueSize')).toBe(3);
    expect(running.metrics.read('MaxQueueUtilizationPercent')).toBeLessThan(1);
    await running.stop();
  });
});
