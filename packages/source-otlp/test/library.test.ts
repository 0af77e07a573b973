import { ConnectorError, pipe, type SourceHandle } from '@levada/connect-runtime-core';
import type { ServiceLogger } from '@levada/connect-runtime-core/library';
import { each } from '@levada/connect-runtime-core/sinks';
import { createRecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { logSaying, type PostAnswer, postExport, spanName, spanNamed } from '@levada/test-peers/otlp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { otlpSource } from '../src/index.ts';
import { spoolFolder } from './spool-folder.ts';

const LOOPBACK = { address: '127.0.0.1', grpcPort: 0, httpPort: 0 };

type Source = ReturnType<typeof otlpSource>;

/** Posts spans, of which the first is handed out in advance and all others are in one batch. Resolves when they are queued. */
async function postInOneBatch(source: Source, names: readonly string[]): Promise<Promise<PostAnswer>[]> {
  const port = source.status().HttpPort;
  const answers: Promise<PostAnswer>[] = [];
  for (const [at, name] of names.entries()) {
    answers.push(postExport(port, 'traces', spanNamed(name)));
    await waitFor(() => {
      const { InFlightCount, QueueSize } = source.status();
      return InFlightCount === 1 && QueueSize === at;
    });
  }
  return answers;
}

/** Leaves spans in a spool. The next run hands them out in one batch. */
async function fillSpool(options: Parameters<typeof otlpSource>[0], names: readonly string[]): Promise<void> {
  const source = otlpSource(options);
  await source.ready();
  for (const name of names) await postExport(source.status().HttpPort, 'traces', spanNamed(name));
  await source.close();
}

async function pipeNames(source: Source, count: number): Promise<readonly string[]> {
  const names: string[] = [];
  const sink = each<string>(({ value }) => void names.push(spanName(value) ?? ''));
  await pipe(source.text().limit(count), sink).done;
  return names;
}

async function loopNames(source: Source, count: number): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { value } of source.text().limit(count)) names.push(spanName(value) ?? '');
  return names;
}

describe('otlpSource', () => {
  it('a source has no connection events, and works like any other source', async () => {
    const source = otlpSource(LOOPBACK).on('dropped', () => undefined);
    // @ts-expect-error it never reconnects
    source.on('reconnecting', () => undefined);
    const any: SourceHandle = source;
    any.on('reconnecting', () => undefined);
    // @ts-expect-error there is no such event
    expect(() => source.on('droped', () => undefined)).toThrow(
      'droped is not an event of a source, did you mean dropped?',
    );
    await source.close();
  });

  it('a source opens ports that the system chooses, reports them in the status, and iterates record by record', async () => {
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
    expect(source.status().HttpPort).toBe(0);
    await expect(postExport(Number(HttpPort), 'traces', spanNamed('c'))).rejects.toThrow('fetch failed');
  });

  it('a source answers an export with ackMode=produced when the loop asks for the next record', async () => {
    const source = otlpSource({ ...LOOPBACK, ackMode: 'produced' });
    await source.ready();
    const port = source.status().HttpPort;
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

  describe.each<[string, (source: Source, count: number) => Promise<readonly string[]>]>([
    ['a pipe', pipeNames],
    ['a loop', loopNames],
  ])('read in part by %s', (_, readNames) => {
    it('a source left within a batch answers the settled exports with success, and asks the other clients to retry', async () => {
      const source = otlpSource({ ...LOOPBACK, ackMode: 'produced' });
      await source.ready();
      const answers = await postInOneBatch(source, ['a', 'b', 'c', 'd']);
      expect(await readNames(source, 2)).toEqual(['a', 'b']);
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 503, 503]);
      expect(source.status()).toMatchObject({ RecordsProduced: 2, UnaccountedCount: 0 });
    });

    it('a source left within a batch keeps the unsettled exports in the spool for the next run', async () => {
      using folder = spoolFolder();
      const options = { ...LOOPBACK, ackMode: 'spool', spool: { path: folder.path } } as const;
      await fillSpool(options, ['a', 'b', 'c', 'd']);
      expect(await readNames(otlpSource(options), 2)).toEqual(['a', 'b']);
      expect(await readNames(otlpSource(options), 2)).toEqual(['c', 'd']);
    });
  });

  it('a source left within a batch settles the records that the loop had finished', async () => {
    using folder = spoolFolder();
    const options = { ...LOOPBACK, ackMode: 'spool', spool: { path: folder.path } } as const;
    await fillSpool(options, ['a', 'b', 'c', 'd']);
    for await (const { value } of otlpSource(options)) if (spanName(String(value)) === 'c') break;
    expect(await loopNames(otlpSource(options), 2)).toEqual(['c', 'd']);
  });

  it('a source reports exports that it refuses because the queue is full, and warns only of those that are lost', async () => {
    const warnings: (string | undefined)[] = [];
    const onWarning = ({ code }: Error & { readonly code?: string }): number => warnings.push(code);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const dropped = async (queueFullAnswer: 'refuse' | 'accept') => {
      await using source = otlpSource({ ...LOOPBACK, queueSize: 1, queueFullAnswer });
      const events: (boolean | undefined)[] = [];
      source.on('dropped', ({ refused }) => events.push(refused));
      await source.ready();
      // At most one is handed out in advance, and one is in the queue.
      for (const name of ['a', 'b', 'c']) {
        await postExport(source.status().HttpPort, 'traces', spanNamed(name));
      }
      return {
        events: events.slice(0, 1),
        warned: warnings.filter((code) => code === 'LEVADA_RECORDS_DROPPED').length,
      };
    };
    expect(await dropped('refuse')).toEqual({ events: [true], warned: 0 });
    expect(await dropped('accept')).toEqual({ events: [false], warned: 1 });
  });

  it.each([
    ['options', (logger: ServiceLogger) => otlpSource({ grpcPort: 0, httpPort: 0, logger })],
    [
      'the keys of REST',
      (logger: ServiceLogger) => otlpSource.fromConfig({ 'otlp.any.port': 'grpc,http' }, { logger }),
    ],
  ])('a source listens on the loopback address alone with %s', async (_, make) => {
    const logger = createRecordingLogger();
    await using source = make(logger);
    await source.ready();
    const started = [...logger.withEvent('grpc_server_started'), ...logger.withEvent('http_server_started')];
    expect(started.map(({ fields }) => fields['bind_address'])).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(logger.withEvent('receivers_open_to_network')).toEqual([]);
  });

  it('a source accepts the keys of REST, and refuses all mistakes at once', () => {
    const mistakes = (): unknown =>
      otlpSource.fromConfig({ 'otlp.grpc.port': '1', 'otlp.message.format': 'xml' });
    expect(mistakes).toThrow(ConnectorError);
    expect(mistakes).toThrow(/otlp\.grpc\.port[\s\S]*otlp\.message\.format/);
    expect(() => otlpSource('0.0.0.0' as unknown as object)).toThrow(
      /^options must be an object, got string$/,
    );
    expect(() => otlpSource({ httpPort: 80 })).toThrow(/^httpPort must be a port in 1024-65535$/);
  });
});
