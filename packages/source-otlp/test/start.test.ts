import { createServer, type Server } from 'node:net';
import { createManualClock, createRecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { postExport, spanNamed } from '@levada/test-peers/otlp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTask } from './running-task.ts';

/** Something else on a port of this machine. */
async function occupied(port = 0): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
  );
  onTestFinished(() => void server.close());
  return { port: (server.address() as { readonly port: number }).port, server };
}

const closed = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve));

describe('the start of an OTLP task', () => {
  it.each([
    ['grpc', 'http', 'Failed to start gRPC server'],
    ['http', 'grpc', 'Failed to start HTTP server'],
  ])('fails when the %s port is taken, and releases the other one', async (protocol, other, literal) => {
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
  });

  it('waits for a port that becomes free within three seconds', async () => {
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

  it('logs its start events in order, and warns that every client can send', async () => {
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

  it('warns of nothing on loopback, or with a token', async () => {
    for (const raw of [{}, { 'otlp.bind.address': '0.0.0.0', 'otlp.auth.tokens': 'one' }]) {
      const running = await startTask(raw);
      expect(running.logger.withEvent('receivers_open_to_network')).toHaveLength(0);
      await running.stop();
    }
  });

  it.each([
    ['grpc', 'http'],
    ['http', 'grpc'],
  ])('opens the %s receiver alone when %s is off', async (on, off) => {
    const running = await startTask({ [`otlp.${off}.enabled`]: 'false' });
    const ports = { grpc: running.grpcPort, http: running.httpPort };
    expect([ports[on as 'grpc'] > 0, ports[off as 'grpc']]).toEqual([true, 0]);
    await running.stop();
  });

  it('opens its ports again after a stop', async () => {
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
