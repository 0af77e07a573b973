import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryConfigProvider } from './directory-config-provider.ts';
import { FILE_MAX_BYTES } from './file-access.ts';
import { fileConfigProvider } from './file-config-provider.ts';

let root: string;
let inside: string;
let outside: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'providers-')));
  inside = join(root, 'inside');
  outside = join(root, 'outside');
  await mkdir(inside);
  await mkdir(outside);
  await writeFile(join(inside, 'a.properties'), 'user=joe\npassword=grün\n');
  await writeFile(join(outside, 'b.properties'), 'user=eve\n');
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

const unreadable = (message: string) => expect.objectContaining({ code: 'file_unreadable', message });

describe('fileConfigProvider', () => {
  it("has Kafka's class name and a short one", () => {
    expect([fileConfigProvider.className, ...(fileConfigProvider.aliases ?? [])]).toEqual([
      'org.apache.kafka.common.config.provider.FileConfigProvider',
      'file',
    ]);
  });

  it('reads keys of a properties file and leaves out those that it has not', async () => {
    const values = await fileConfigProvider
      .create({})
      .get(join(inside, 'a.properties'), ['password', 'nope']);
    expect([...values]).toEqual([['password', 'grün']]);
  });

  it('reads the file again each time', async () => {
    const provider = fileConfigProvider.create({ 'allowed.paths': inside });
    const path = join(inside, 'a.properties');
    await provider.get(path, ['user']);
    await writeFile(path, 'user=ann');
    expect((await provider.get(path, ['user'])).get('user')).toBe('ann');
  });

  it.each(['missing.properties', '../outside/b.properties'])(
    'says the same of %s, whether it is missing or not allowed',
    async (name) => {
      const path = join(inside, name);
      await expect(
        fileConfigProvider.create({ 'allowed.paths': inside }).get(path, ['user']),
      ).rejects.toThrowError(
        unreadable(
          `Could not read properties from file ${path} for user: ${path} is missing or outside of the allowed paths`,
        ),
      );
    },
  );

  it('does not follow a symbolic link out of the allowed paths', async () => {
    await symlink(join(outside, 'b.properties'), join(inside, 'link'));
    await expect(
      fileConfigProvider.create({ 'allowed.paths': inside }).get(join(inside, 'link'), ['user']),
    ).rejects.toThrow('outside of the allowed paths');
  });

  it('follows a symbolic link within the allowed paths', async () => {
    await symlink(join(inside, 'a.properties'), join(inside, 'link'));
    const provider = fileConfigProvider.create({ 'allowed.paths': ` ${outside}, ${inside} ` });
    expect((await provider.get(join(inside, 'link'), ['user'])).get('user')).toBe('joe');
  });

  it.each(['/proc/self/environ', '/dev/zero', '/sys/kernel/uevent_seqnum'])(
    'never reads %s, not even when it is allowed',
    async (path) => {
      await expect(fileConfigProvider.create({}).get(path, ['x'])).rejects.toMatchObject({
        code: 'file_unreadable',
      });
      await expect(
        fileConfigProvider.create({ 'allowed.paths': '/' }).get(path, ['x']),
      ).rejects.toMatchObject({
        code: 'file_unreadable',
      });
    },
  );

  it('never reads what is denied', async () => {
    const path = join(outside, 'b.properties');
    await expect(fileConfigProvider.create({ 'denied.paths': path }).get(path, ['user'])).rejects.toThrow(
      `${path} may not be read`,
    );
  });

  it('refuses relative paths, directories, pipes and large files', async () => {
    const provider = fileConfigProvider.create({});
    const pipe = join(inside, 'pipe');
    const large = join(inside, 'large');
    execFileSync('mkfifo', [pipe]);
    await writeFile(large, 'a'.repeat(FILE_MAX_BYTES + 1));
    await expect(provider.get('a.properties', ['x'])).rejects.toThrow('is not an absolute path');
    await expect(provider.get(inside, ['x'])).rejects.toThrow('is not a regular file');
    await expect(provider.get(pipe, ['x'])).rejects.toThrow('is not a regular file');
    await expect(provider.get(large, ['x'])).rejects.toThrow('is larger than 1048576 bytes');
  });

  it('names path and keys of a malformed file, and none of its content', async () => {
    const path = join(inside, 'bad');
    await writeFile(path, 'password=hunter2\\u00');
    await expect(fileConfigProvider.create({}).get(path, ['user', 'password'])).rejects.toThrowError(
      unreadable(
        `Could not read properties from file ${path} for user, password: line 1: Malformed \\uxxxx encoding.`,
      ),
    );
  });

  it("reports allowed paths that are relative or missing in Kafka's words", () => {
    expect(() => fileConfigProvider.create({ 'allowed.paths': `relative,${root}/missing` })).toThrowError(
      expect.objectContaining({
        code: 'config_invalid',
        message: `Path relative is not absolute\nPath ${root}/missing does not exist`,
      }),
    );
  });
});

describe('directoryConfigProvider', () => {
  it('reads whole files by their names and leaves out those that are not there', async () => {
    await writeFile(join(inside, 'token'), 'abc\n');
    const values = await directoryConfigProvider.create({}).get(inside, ['token', 'nope']);
    expect([...values]).toEqual([['token', 'abc\n']]);
  });

  it('reads secrets as Kubernetes mounts them, through symbolic links', async () => {
    await mkdir(join(inside, '..2026'));
    await writeFile(join(inside, '..2026', 'token'), 'abc');
    await symlink('..2026', join(inside, '..data'));
    await symlink('..data/token', join(inside, 'token'));
    const provider = directoryConfigProvider.create({ 'allowed.paths': inside });
    expect((await provider.get(inside, ['token'])).get('token')).toBe('abc');
  });

  it('takes no key that is a path out of the directory', async () => {
    const values = await directoryConfigProvider
      .create({})
      .get(inside, ['../outside/b.properties', '..', '.', '']);
    expect(values.size).toBe(0);
  });

  it('refuses a file in place of a directory, and a directory outside of the allowed paths', async () => {
    const file = join(inside, 'a.properties');
    await expect(directoryConfigProvider.create({}).get(file, ['x'])).rejects.toThrowError(
      unreadable(`Could not read directory ${file} for x: ${file} is not a directory`),
    );
    await expect(
      directoryConfigProvider.create({ 'allowed.paths': inside }).get(outside, ['b.properties']),
    ).rejects.toThrow('outside of the allowed paths');
  });

  it('refuses a link in the directory that leads outside', async () => {
    await symlink(join(outside, 'b.properties'), join(inside, 'link'));
    await expect(
      directoryConfigProvider.create({ 'allowed.paths': inside }).get(inside, ['link']),
    ).rejects.toThrow('outside of the allowed paths');
  });
});
