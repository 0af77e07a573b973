import { readFile } from 'node:fs/promises';
import { defaultBrokerVersion } from '@levada/kafka-testkit';
import { expect, it } from 'vitest';
import { machine } from './machine.ts';

it('names the versions of the programs that are built and started', async () => {
  const modules = await readFile(new URL('../../collector/go.mod', import.meta.url), 'utf8');
  const [, exporter] = /exporter\/kafkaexporter v(\S+)/.exec(modules) ?? [];
  expect(machine()).toMatchObject({
    Kafka: `${defaultBrokerVersion}, one broker, topics of one partition`,
    Collector: `OpenTelemetry Collector ${exporter}, built with optimisation`,
    'Node.js': process.version,
  });
});
