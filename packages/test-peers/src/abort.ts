import { getEventListeners } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { type ConnectorError, pipe, type SourceHandle } from '@levada/connect-runtime-core';
import { logSink } from '@levada/connect-runtime-core/sinks';
import { createScriptedLog, waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

/** A source in library use, and a peer of its own. */
export interface AbortableSource {
  readonly source: SourceHandle;
  /** Has one record arrive. Called when the source is ready; resolves when the source has received it. */
  readonly send: () => Promise<unknown>;
  /** Connections that the peer has or had. */
  readonly connections: () => number;
}

export interface AbortHarness {
  readonly factory: string;
  /** A source that is not used yet, with a peer that answers. */
  readonly open: (signal: AbortSignal) => Promise<AbortableSource>;
  /** A source whose peer accepts connections on this port, and never says anything. Undefined: servers, which do not connect. */
  readonly openAt: ((port: number, signal: AbortSignal) => SourceHandle) | undefined;
  /** True: a client that keeps a connection open which the server has not answered yet, as grpc-js does. */
  readonly leavesUnanswered?: boolean;
}

const reason = new Error('the service stops');

/** Tests that an abort has the same effect on every source, whenever it comes. */
export function describeAbort(harness: AbortHarness): void {
  describe(`an abort of the signal of ${harness.factory}`, () => {
    beforeConnected(harness);
    inLoops(harness);
    inPipes(harness);
  });
}

function beforeConnected({ open, openAt, leavesUnanswered = false }: AbortHarness): void {
  it('before the first use opens nothing: the loop gets nothing, and ready rejects with the reason', async () => {
    const { source, connections } = await open(AbortSignal.abort(reason));
    await expectAborted(source.ready());
    expect(await valuesOf(source)).toEqual([]);
    expect([await source.close(), connections()]).toEqual([{ delivered: 0, undelivered: 0 }, 0]);
  });

  it('between the start and the first connection ends both loop and ready', async () => {
    const abort = new AbortController();
    const { source } = await open(abort.signal);
    const ready = source.ready();
    const values = valuesOf(source);
    abort.abort(reason);
    await expectAborted(ready);
    expect(await values).toEqual([]);
    expect(source.health()).toEqual({ status: 'down', reason: 'closed' });
  });

  it.each(openAt === undefined ? [] : [openAt])('while it connects ends the connection', async (connect) => {
    const abort = new AbortController();
    const silent = await startSilentServer();
    const source = connect(silent.port, abort.signal);
    const ready = source.ready();
    const values = valuesOf(source);
    await waitFor(() => silent.sockets.length === 1);
    abort.abort(reason);
    await expectAborted(ready);
    expect(await values).toEqual([]);
    await waitFor(() => leavesUnanswered || silent.sockets.every(({ destroyed }) => destroyed));
  });
}

function inLoops({ open }: AbortHarness): void {
  it('inside the loop lets it have what was received, then ends it without an error', async () => {
    const abort = new AbortController();
    const { source, send } = await open(abort.signal);
    await source.ready();
    await send();
    let records = 0;
    for await (const _ of source) {
      records += 1;
      abort.abort(reason);
    }
    expect([records, await source.close()]).toEqual([1, { delivered: 1, undelivered: 0 }]);
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });

  it('ends a loop that waits for a record', async () => {
    const abort = new AbortController();
    const { source } = await open(abort.signal);
    const values = valuesOf(source);
    await source.ready();
    abort.abort(reason);
    expect(await values).toEqual([]);
  });

  it('inside batches gives those that came without waiting for more', async () => {
    const abort = new AbortController();
    const { source, send } = await open(abort.signal);
    const sizes: number[] = [];
    const reading = (async () => {
      for await (const batch of source.batches({ max: 100, maxWaitMs: 600_000 })) sizes.push(batch.length);
    })();
    await source.ready();
    await send();
    abort.abort(reason);
    await reading;
    expect([sizes, await source.close()]).toEqual([[1], { delivered: 1, undelivered: 0 }]);
  });
}

function inPipes({ open }: AbortHarness): void {
  it('before a pipe begins ends it at once', async () => {
    const { source, connections } = await open(AbortSignal.abort(reason));
    const log = createScriptedLog();
    const run = pipe(source, logSink(await log.connect().producer({ clientId: 'test' })));
    expect([await run.done, connections()]).toEqual([{ delivered: 0, undelivered: 0 }, 0]);
  });

  it.each(['of the source', 'of the pipe'])(
    '%s ends a pipe, which has delivered what was received',
    async (of) => {
      const [ofSource, ofPipe] = [new AbortController(), new AbortController()];
      const { source, send } = await open(ofSource.signal);
      const log = createScriptedLog();
      const producer = await log.connect().producer({ clientId: 'test' });
      const run = pipe(source, logSink(producer), { signal: ofPipe.signal });
      await source.ready();
      await send();
      (of === 'of the source' ? ofSource : ofPipe).abort(reason);
      expect(await run.done).toEqual({ delivered: 1, undelivered: 0 });
      for (const { signal } of [ofSource, ofPipe]) expect(getEventListeners(signal, 'abort')).toEqual([]);
    },
  );

  it('after the end changes nothing', async () => {
    const abort = new AbortController();
    const { source } = await open(abort.signal);
    await source.ready();
    const report = await source.close();
    abort.abort(reason);
    expect(await source.close()).toEqual(report);
  });
}

async function expectAborted(ready: Promise<void>): Promise<void> {
  const error = await ready.then(
    () => undefined,
    (thrown: ConnectorError) => thrown,
  );
  expect([error?.code, error?.retriable, error?.cause]).toEqual(['aborted', false, reason]);
}

async function valuesOf(source: SourceHandle): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for await (const { value } of source) values.push(value);
  return values;
}

async function startSilentServer(): Promise<{ readonly port: number; readonly sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, sockets };
}
