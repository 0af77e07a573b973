import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRegularFile } from './regular-file.ts';

let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-file-'));
  writeFileSync(file('four'), 'abcd');
  writeFileSync(file('empty'), '');
  symlinkSync(file('four'), file('link'));
  execFileSync('mkfifo', [file('pipe')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a regular file', () => {
  it.each([
    ['four', 'abcd'],
    ['link', 'abcd'],
    ['empty', ''],
  ])('is read: %s', (name, content) => {
    expect(readRegularFile(file(name), 4).toString()).toBe(content);
  });

  it.each([
    ['four', 'larger than 3 bytes'],
    ['missing', 'ENOENT'],
    ['', 'not a regular file'],
    ['pipe', 'not a regular file'],
    ['four/below', 'ENOTDIR'],
  ])('is all that is read, within the limit: %s: %s', (name, reason) => {
    const path = file(name);
    expect(() => readRegularFile(path, 3)).toThrow(
      expect.objectContaining({ code: 'file_unreadable', message: `"${path}": ${reason}` }),
    );
  });

  it('does not include devices that never end', () => {
    expect(() => readRegularFile('/dev/zero', 3)).toThrow('"/dev/zero": not a regular file');
  });

  it.each([
    ['with a line break', 's3cret\n', 'ENOENT'],
    ['with a zero byte', 's3cret\0', 'ERR_INVALID_ARG_VALUE'],
    ['that is long', 's3cret'.repeat(1000), 'ENAMETOOLONG'],
  ])('is not shown when its path is text %s', (_, path, code) => {
    let thrown: unknown;
    try {
      readRegularFile(path, 3);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ message: `[hidden]: ${code}` });
  });
});
