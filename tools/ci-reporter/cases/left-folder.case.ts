import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('leaves a folder', () => {
  expect(mkdtempSync(join(tmpdir(), 'levada-left-'))).not.toBe('');
});
