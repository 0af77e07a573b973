import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';

const run = promisify(execFile);

describeWithSharedBroker('the README', {}, (broker) => {
  it('the examples of the README print their comments', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
    expect(examples).toHaveLength(2);
    const cwd = fileURLToPath(new URL('..', import.meta.url));
    for (const example of examples) {
      const promised = /console\.log\(.*\/\/ (.*)/.exec(example)?.[1];
      const code = example.replace('localhost:9092', broker().bootstrap);
      const { stdout, stderr } = await run(process.execPath, ['--input-type=module-typescript', '-e', code], {
        cwd,
      });
      expect(stdout.trim()).toBe(promised);
      expect(stderr).toBe('');
    }
  });
});
