import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { makeCertificates } from '@levada/test-peers/tls';
import { expect, it, onTestFinished } from 'vitest';
import { startInProcess } from '../worker-in-process.ts';
import { onCluster } from './worker-process.ts';

const extension = 'org.apache.kafka.connect.rest.basic.auth.extension.BasicAuthSecurityRestExtension';
const plugins = fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url));

describeWithSharedBroker('a group of workers with mutual TLS and passwords', {}, (broker) => {
  it('forwards changes with the password of the caller, and shares tasks by signed requests without one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'levada-secure-group-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = (name: string): string => join(folder, name);
    makeCertificates(folder);
    const pem = async (name: string): Promise<string> => await readFile(file(name), 'utf8');
    await writeFile(file('store.pem'), `${await pem('server.key')}${await pem('server.pem')}`);
    await writeFile(file('users.properties'), 'alice=secret');
    await writeFile(file('in.txt'), 'one\n');
    const client = { ca: await pem('ca.pem'), key: await pem('client.key'), cert: await pem('client.pem') };

    const start = async () => {
      const run = await startInProcess({
        ...onCluster(broker().bootstrap, 'secure-group'),
        listeners: 'https://127.0.0.1:0',
        'plugin.path': plugins,
        'listeners.https.ssl.keystore.location': file('store.pem'),
        'listeners.https.ssl.truststore.location': file('ca.pem'),
        'listeners.https.ssl.client.auth': 'required',
        'rest.extension.classes': extension,
        'rest.basic.users.file': file('users.properties'),
      });
      onTestFinished(async () => void (await run.end()));
      await run.worker.started;
      return run.worker;
    };
    const ask = async (url: string, method: string, path: string, body?: unknown) => {
      const headers = {
        authorization: `Basic ${Buffer.from('alice:secret').toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const sent = request(`${url}${path}`, { agent: false, method, headers, ...client });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
      const [response] = await once(sent, 'response');
      return { status: response.statusCode as number, body: await text(response) };
    };

    const workers = [await start(), await start()] as const;
    const names = ['a', 'b', 'c', 'd'];
    for (const [index, name] of names.entries()) {
      const config = {
        'connector.class': 'org.apache.kafka.connect.file.FileStreamSourceConnector',
        'tasks.max': '1',
        file: file('in.txt'),
        topic: `secure-${name}`,
      };
      // Each worker is asked, so one of them forwards.
      const { url } = workers[index % 2] as (typeof workers)[number];
      await waitFor(
        async () => {
          const { status } = await ask(url, 'PUT', `/connectors/${name}/config`, config);
          return status < 300;
        },
        { timeoutMs: 30_000 },
      );
    }
    const owners = await waitFor(
      async () => {
        const { body } = await ask(workers[0].url, 'GET', '/connectors?expand=status');
        const tasks = Object.values(JSON.parse(body) as Record<string, { status: Status }>).flatMap(
          ({ status }) => status.tasks,
        );
        const running = tasks.filter(({ state }) => state === 'RUNNING');
        const found = new Set(running.map(({ worker_id }) => worker_id));
        return running.length === names.length && found.size === 2 ? found : undefined;
      },
      { timeoutMs: 60_000 },
    );
    expect(owners).toEqual(new Set(workers.map(({ workerId }) => workerId)));
  }, 120_000);
});

interface Status {
  readonly tasks: readonly { readonly state: string; readonly worker_id: string }[];
}
