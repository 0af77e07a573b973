// Receivers that are bound to sockets of the file system.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, credentials } from '@grpc/grpc-js';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { spanNamed } from '@levada/test-peers/otlp';
import { expect, it, onTestFinished } from 'vitest';
import { describeOverServers } from './http2-servers.ts';
import { startTask } from './running-task.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-socket-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Status and body of an export that curl sends. */
async function curl(path: string): Promise<string> {
  const body = ['-H', 'content-type: application/json', '-d', JSON.stringify(spanNamed('a'))];
  const args = ['-s', '-w', '%{http_code}', '--unix-socket', path, ...body, 'http://localhost/v1/traces'];
  return (await promisify(execFile)('curl', args)).stdout;
}

/** Code of a call of an official client. */
function grpcExport(path: string): Promise<number> {
  const client = new Client(`unix:${path}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  const name = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
  const same = (bytes: Buffer): Buffer => bytes;
  return new Promise((resolve) => {
    client.makeUnaryRequest(name, same, same, Buffer.alloc(0), (error) => resolve(error?.code ?? 0));
  });
}

describeOverServers('a receiver on a socket', (server) => {
  it('the receiver accepts exports over gRPC and HTTP, with the permissions that are configured, and leaves no file', async () => {
    const folder = newFolder();
    const [grpc, http] = [join(folder, 'grpc.sock'), join(folder, 'http.sock')];
    const running = await startTask({
      'otlp.http2.server': server,
      'otlp.grpc.bind.address': `unix:${grpc}`,
      'otlp.http.bind.address': `unix:${http}`,
      'otlp.unix.socket.mode': '0600',
    });
    expect([statSync(grpc).mode & 0o777, statSync(http).mode & 0o777]).toEqual([0o600, 0o600]);
    expect(await grpcExport(grpc)).toBe(0);
    expect(await curl(http)).toBe('{}200');
    expect(await curl(grpc)).toContain(`this is the OTLP/gRPC port; OTLP/HTTP is on unix:${http}`);
    expect(running.metrics.read('TracesReceived')).toBe(1);
    expect(running.logger.withEvent('receivers_open_to_network')).toEqual([]);
    expect(running.logger.withEvent('otlp_receiver_started')).toMatchObject([
      { fields: { grpc_port: null, http_port: null, bind_address: `unix:${grpc}, unix:${http}` } },
    ]);
    await running.stop();
    expect([existsSync(grpc), existsSync(http)]).toEqual([false, false]);
  });

  it('a task binds one receiver to a socket and the other to a port', async () => {
    const grpc = join(newFolder(), 'grpc.sock');
    const running = await startTask({
      'otlp.http2.server': server,
      'otlp.grpc.bind.address': `unix:${grpc}`,
    });
    expect(await grpcExport(grpc)).toBe(0);
    expect(running.httpPort).toBeGreaterThan(0);
    await running.stop();
  });

  it('the receiver replaces the file of a process that was killed', async () => {
    const path = join(newFolder(), 'grpc.sock');
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', script]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(path)).toBe(true);
    const running = await startTask({
      'otlp.http2.server': server,
      'otlp.grpc.bind.address': `unix:${path}`,
    });
    expect(await grpcExport(path)).toBe(0);
    await running.stop();
  });

  it('the receiver does not take a socket that is in use, or the place of another file', async () => {
    const folder = newFolder();
    const used = join(folder, 'used.sock');
    const other = createServer((socket) => socket.on('error', () => undefined).end('other'));
    other.listen(used);
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const start = (path: string) => {
      const clock = createManualClock();
      const started = startTask(
        { 'otlp.http2.server': server, 'otlp.grpc.bind.address': `unix:${path}` },
        { clock },
      );
      const settled = started.then(
        () => 'started',
        (error: Error) => error.message,
      );
      const advance = async (): Promise<string> => {
        for (;;) {
          const result = await Promise.race([settled, clock.advance(1000).then(() => undefined)]);
          if (result !== undefined) return result;
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      return advance();
    };
    expect(await start(used)).toMatch(/^Failed to start gRPC server: unix:.*used\.sock: .*EADDRINUSE/);
    const [answer] = await once(connect(used), 'data');
    expect(String(answer)).toBe('other');
    const file = join(folder, 'file');
    writeFileSync(file, 'precious');
    expect(await start(file)).toMatch(/file" exists and is not a socket/);
    expect(existsSync(file)).toBe(true);
  });
});
