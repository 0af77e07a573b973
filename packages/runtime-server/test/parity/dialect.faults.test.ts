import { fileURLToPath } from 'node:url';
import { startJavaWorker } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it, onTestFinished } from 'vitest';
import { onCluster } from '../end-to-end/worker-process.ts';
import { startInProcess } from '../worker-in-process.ts';

const plugins = fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url));
const prefix = 'org.apache.kafka.connect';
const config = {
  name: 'a',
  'connector.class': `${prefix}.file.FileStreamSourceConnector`,
  topic: 't',
  file: 'none.txt',
  'value.converter': `${prefix}.json.JsonConverter`,
  transforms: 'hoist',
  'transforms.hoist.type': `${prefix}.transforms.HoistField$Value`,
  'transforms.hoist.field': 'x',
  'transforms.hoist.predicate': 'none',
  predicates: 'none',
  'predicates.none.type': `${prefix}.transforms.predicates.RecordIsTombstone`,
};

interface Validation {
  readonly configs: readonly { readonly definition: object; readonly value: { readonly name: string } }[];
}

describeWithSharedBroker(
  'a worker of Kafka Connect 4.3.1 and ours with rest.dialect=4.x',
  { version: '4.3.1' },
  (broker) => {
    it('describe the same keys in the same form, but for the versions of plugins and schema.content', async () => {
      const keys = (group: string): Readonly<Record<string, string>> => ({
        ...onCluster(broker().bootstrap, group),
        'rest.advertised.host.name': '127.0.0.1',
      });
      const java = await startJavaWorker(broker(), keys('dialect-java'));
      onTestFinished(() => java.stop());
      const ours = await startInProcess({
        ...keys('dialect-ours'),
        'plugin.path': plugins,
        'rest.dialect': '4.x',
      });
      onTestFinished(async () => void (await ours.end()));
      await ours.worker.started;
      const validate = async (url: string): Promise<Validation['configs']> => {
        const answer = await fetch(
          new URL('/connector-plugins/FileStreamSourceConnector/config/validate', url),
          {
            method: 'PUT',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(config),
          },
        );
        return ((await answer.json()) as Validation).configs;
      };
      const [theirs, own] = await Promise.all([validate(java.url), validate(ours.worker.url)]);
      const names = own.map(({ value }) => value.name);
      const common = theirs.filter(({ value }) => names.includes(value.name));
      expect(common.map(({ value }) => value.name)).toEqual(names);
      expect(common.map(({ definition }) => Object.keys(definition))).toEqual(
        own.map(({ definition }) => Object.keys(definition)),
      );
      const missing = theirs.filter((one) => !common.includes(one)).map(({ value }) => value.name);
      expect(missing).toEqual([
        'connector.plugin.version',
        'key.converter.plugin.version',
        'value.converter.plugin.version',
        'header.converter.plugin.version',
        'transforms.hoist.plugin.version',
        'predicates.none.plugin.version',
        'value.converter.schema.content',
      ]);
    }, 200_000);
  },
);
