// In one file, so that a machine that builds the program for the first time does so once.

import { describeProgram } from '@levada/test-peers/programs';
import { expect, it } from 'vitest';
import { startTask, texts } from '../running-task.ts';
import { comparable, comparableJson } from './comparable-request.ts';
import { describeDeliveringSender } from './delivering-sender.ts';
import { goProgram, goUnavailable } from './go-program.ts';
import { runIntoLog } from './run-into-log.ts';
import { exportAll, sdkExporters } from './sdk-exporters.ts';
import { plainBodies, plainValues, sdkStory, wildValues } from './sdk-story.ts';
import { describeSecuredSender } from './secured-sender.ts';

const go = { unavailable: goUnavailable, make: goProgram };
const signals = ['traces', 'metrics', 'logs'] as const;

describeProgram('exporters in Go', go, (program) => {
  describeDeliveringSender(program);
  describeSecuredSender(program);
});

describeProgram('the decoder of the Collector', go, (program) => {
  it('the decoder of the Collector reads records of every kind of value as they were sent', async () => {
    const running = await startTask();
    await program().send({ transport: 'grpc', port: running.grpcPort });
    const values = { ...plainValues, ...wildValues };
    const story = await sdkStory({ values, numbers: Object.values(wildValues), bodies: plainBodies });
    await exportAll(sdkExporters('grpc', { url: `http://127.0.0.1:${running.grpcPort}` }), story);
    const records = await running.stop();
    expect(records).toHaveLength(6);
    const written = texts(records).map((value, index) => ({
      signal: signals.find((name) => records[index]?.topic === `otlp-${name}`) ?? 'traces',
      value,
    }));
    const read = await program().decode(written);
    expect(written.map(({ signal }, index) => comparable(signal, read[index]))).toEqual(
      written.map(({ signal, value }) => comparableJson(signal, value)),
    );
  });

  it.each(['grpc', 'http/protobuf'] as const)(
    'the decoder of the Collector reads in the three topics what a program with the JavaScript SDK exported over %s',
    async (protocol) => {
      for (const { signal, sent, stored } of await runIntoLog(protocol)) {
        const read = await program().decode(stored.map((value) => ({ signal, value })));
        expect(sent.length).toBeGreaterThan(1);
        expect(read.map((wire) => comparable(signal, wire))).toEqual(
          sent.map((wire) => comparable(signal, wire)),
        );
      }
    },
  );
});
