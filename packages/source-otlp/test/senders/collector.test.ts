import { expect, it } from 'vitest';
import { startTask, texts } from '../running-task.ts';
import { comparable, comparableJson } from './comparable-request.ts';
import { describeProgram } from './describe-program.ts';
import { goProgram, goUnavailable } from './go-program.ts';
import { exportAll, sdkExporters } from './sdk-exporters.ts';
import { plainBodies, plainValues, sdkStory, wildValues } from './sdk-story.ts';

const signals = ['traces', 'metrics', 'logs'] as const;

describeProgram(
  'the decoder of the Collector',
  { unavailable: goUnavailable, make: goProgram },
  (program) => {
    it('reads records of every kind of value as they were sent', async () => {
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
  },
);
