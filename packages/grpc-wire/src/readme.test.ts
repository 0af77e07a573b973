import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { encodeStatusMessage, framed, statusCodes } from './index.ts';

it('the example of the README prints its comments', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, call, promised] = /console\.log\(([\s\S]*?)\); \/\/ (.*)/.exec(readme) ?? [];
  expect(call?.trim().replaceAll(/\s+/g, ' ')).toBe(
    "framed(Buffer.from('hi')).toString('hex'), statusCodes.UNAVAILABLE, encodeStatusMessage('100 %'),",
  );
  const printed = [
    framed(Buffer.from('hi')).toString('hex'),
    statusCodes.UNAVAILABLE,
    encodeStatusMessage('100 %'),
  ];
  expect(printed.join(' ')).toBe(promised);
});
