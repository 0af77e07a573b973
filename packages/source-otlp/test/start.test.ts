import { createServer, type Server } from 'node:net';
import {
  createManualClock,
  createRecordingLogger,
  taskUnderTest,
  waitFor,
} from '@levada/connect-runtime-core/testing';
import { freePorts } from '@levada/kafka-testkit';
import { postExport, spanNamed } from '@levada/test-peers/otlp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { otlpSourceConnector } from '../src/connector.ts';
import { startTask } from './running-task.ts';

/** Something else on a port of this machine. */
async function occupied(known?: number): Promise<{ readonly port: number; readonly server: Server }> {
  const [port = 0] = known === undefined ? await freePorts(1) : [known];
  const server = createServer();
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
  );
  onTestFinished(() => void server.close());
  return { port, server };
}

const closed = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve));

describe('the start of an OTLP task', () => {
  it.each([
    ['grpc', 'http', 'Failed to start gRPC server'],
    ['http', 'grpc', 'Failed to start HTTP server'],
  ])(
    'a task fails when the %s port is taken, and releases the other one',
    async (protocol, other, literal) => {
      const { port } = await occupied();
      const free = await occupied();
      await closed(free.server);
      const logger = createRecordingLogger();
      const clock = createManualClock();
      const started = startTask(
        {
          'otlp.any.port': '',
          [`otlp.${protocol}.port`]: String(port),
          [`otlp.${other}.port`]: String(free.port),
        },
        { logger, clock },
      ).then(
        () => 'started',
        (error: Error) => error.message,
      );
      let outcome: string | undefined;
      void started.then((result) => {
        outcome = result;
      });
      await waitFor(async () => {
        await clock.advance(500);
        return outcome !== undefined;
      });
      expect(outcome).toContain(literal);
      expect(outcome).toContain(`port ${port}`);
      const [line] = logger.withEvent('otlp_receiver_start_failed');
      expect([line?.level, line?.message]).toEqual(['error', literal]);
      await occupied(free.port);
    },
  );

  it('a task waits for a port that becomes free within three seconds', async () => {
    const { port, server } = await occupied();
    const clock = createManualClock();
    const started = startTask({ 'otlp.any.port': 'http', 'otlp.grpc.port': String(port) }, { clock });
    await waitFor(() => clock.pending > 0);
    await closed(server);
    let running = false;
    void started.then(() => {
      running = true;
    });
    await waitFor(async () => {
      await clock.advance(100);
      return running;
    });
    expect((await started).grpcPort).toBe(port);
    await (await started).stop();
  });

  /** A task that continues an earlier run, at the start while its HTTP port is taken. */
  async function continued() {
    const [grpc, http] = [await occupied(), await occupied()];
    await closed(grpc.server);
    const committed = { session_id: 'earlier', signal_type: 'TRACES', sequence: 5 };
    const under = taskUnderTest(otlpSourceConnector, { committed });
    const started = under.start({
      'otlp.bind.address': '127.0.0.1',
      'otlp.grpc.port': String(grpc.port),
      'otlp.http.port': String(http.port),
    });
    const outcome = started.then(
      () => 'started',
      (error: Error) => error.message,
    );
    await waitFor(() => under.clock.pending > 0);
    let over: string | undefined;
    void outcome.then((text) => {
      over = text;
    });
    /** Advances the clock until the start is over, or for that long. */
    const pass = async (ms: number): Promise<string | undefined> => {
      const end = under.clock.monotonic() + ms;
      await waitFor(async () => {
        await under.clock.advance(5_000);
        return over !== undefined || under.clock.monotonic() >= end;
      });
      return over;
    };
    return { ...under, grpc, http, pass };
  }

  it('a task waits for minutes for the ports of an earlier run, logs that once, and accepts nothing meanwhile', async () => {
    const { task, logger, grpc, http, pass } = await continued();
    expect(await pass(200_000)).toBeUndefined();
    expect(logger.withEvent('waiting_while_in_use')).toHaveLength(1);
    expect(task.connection?.()).toMatchObject({
      state: 'backing-off',
      lastError: expect.stringContaining(`EADDRINUSE: address already in use 127.0.0.1:${http.port}`),
      nextTryInMs: 2000,
    });
    await closed((await occupied(grpc.port)).server);
    await closed(http.server);
    expect(await pass(10_000)).toBe('started');
    expect(task.connection?.()).toMatchObject({ state: 'listening' });
    await task.stop();
  });

  it('a task gives up after otlp.takeover.wait.ms, and at once when it is stopped', async () => {
    const first = await continued();
    expect(await first.pass(400_000)).toContain('Failed to start HTTP server');
    expect(first.clock.monotonic()).toBeLessThan(315_000);
    const second = await continued();
    await second.task.stop();
    expect(await second.pass(1_000)).toBe('started');
    expect(await second.task.poll()).toEqual([]);
    expect(second.logger.withEvent('otlp_receiver_start_failed')).toEqual([]);
    await occupied(second.grpc.port);
  });

  it('a task logs its start events in order, and warns that every client can send', async () => {
    const running = await startTask({ 'otlp.bind.address': '0.0.0.0' });
    const events = running.logger.lines.map(({ fields }) => String(fields['event']));
    expect(events.filter((event) => !event.includes('offset'))).toEqual([
      'task_starting',
      'session_initialized',
      'otlp_receiver_starting',
      'grpc_server_started',
      'http_server_started',
      'otlp_receiver_started',
      'receivers_open_to_network',
      'task_started',
    ]);
    await running.stop();
    expect(running.logger.withEvent('task_stopping')).toHaveLength(1);
    expect(running.logger.withEvent('task_metrics')).toHaveLength(1);
  });

  it('a task warns of nothing on loopback, or with a token', async () => {
    for (const raw of [{}, { 'otlp.bind.address': '0.0.0.0', 'otlp.auth.tokens': 'one' }]) {
      const running = await startTask(raw);
      expect(running.logger.withEvent('receivers_open_to_network')).toHaveLength(0);
      await running.stop();
    }
  });

  it.each([
    ['grpc', 'http'],
    ['http', 'grpc'],
  ])('a task opens the %s receiver alone when %s is off', async (on, off) => {
    const running = await startTask({ [`otlp.${off}.enabled`]: 'false' });
    const ports = { grpc: running.grpcPort, http: running.httpPort };
    expect([ports[on as 'grpc'] > 0, ports[off as 'grpc']]).toEqual([true, 0]);
    await running.stop();
  });

  it('a task opens its ports again after a stop', async () => {
    const first = await startTask();
    await postExport(first.httpPort, 'traces', spanNamed('a'));
    await first.stop();
    const again = await startTask({
      'otlp.any.port': '',
      'otlp.grpc.port': String(first.grpcPort),
      'otlp.http.port': String(first.httpPort),
    });
    expect((await postExport(again.httpPort, 'traces', spanNamed('b'))).status).toBe(200);
    expect(await again.stop()).toHaveLength(1);
  });
});
