// Basic authentication over both protocols, from a list and from a file.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Metadata } from '@grpc/grpc-js';
import { grpcClient, postExport, spanNamed } from '@levada/test-peers/otlp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { otlpConfig } from '../src/config/config.ts';
import { otlpSourceConnector } from '../src/connector.ts';
import { startTask } from './running-task.ts';

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-users-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'users'), text);
  return join(folder, 'users');
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

function errorsOf(raw: Readonly<Record<string, string>>): readonly string[] {
  const values = otlpSourceConnector.validate?.(raw, otlpConfig.validate(raw)) ?? [];
  return values.flatMap(({ name, errors }) => errors.map((error) => `${name}: ${error}`));
}

describe('basic authentication', () => {
  it('the receiver accepts users of the list and of the file, and rejects all others', async () => {
    const running = await startTask({
      'otlp.auth.users': 'listed:one, other:two',
      'otlp.auth.users.path': fileOf('# users\nplain:three\nhashed:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n'),
    });
    const grpc = grpcClient(running.grpcPort);
    for (const [user, allowed] of [
      ['listed:one', true],
      ['other:two', true],
      ['plain:three', true],
      ['hashed:password', true],
      ['listed:two', false],
      ['# users:', false],
    ] as const) {
      const authorization = basic(user);
      const { status } = await postExport(running.httpPort, 'traces', spanNamed('a'), { authorization });
      const metadata = new Metadata();
      metadata.set('authorization', authorization);
      const { code } = await grpc.export('traces', Buffer.alloc(0), { metadata });
      expect([user, status, code]).toEqual([user, allowed ? 200 : 401, allowed ? 0 : 16]);
    }
    const { status, headers } = await postExport(running.httpPort, 'traces', spanNamed('a'));
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Basic realm="OTLP", charset="UTF-8"']);
    expect(await grpc.export('traces', Buffer.alloc(0))).toMatchObject({
      code: 16,
      details: 'no user and password in Authorization',
    });
    expect(running.logger.withEvent('receivers_open_to_network')).toEqual([]);
    await running.stop();
  });

  it('the receiver accepts the credentials that curl sends for a user', async () => {
    const running = await startTask({ 'otlp.auth.users': 'listed:one' });
    const url = `http://127.0.0.1:${running.httpPort}/v1/traces`;
    const body = ['-H', 'content-type: application/json', '-d', JSON.stringify(spanNamed('a'))];
    const status = ['-s', '-o', '/dev/null', '-w', '%{http_code}'];
    const { stdout } = await promisify(execFile)('curl', [...status, '-u', 'listed:one', ...body, url]);
    expect(stdout).toBe('200');
    await running.stop();
  });

  it('the receiver refuses invalid users at validation without repeating them', () => {
    expect(errorsOf({ 'otlp.auth.users': 'a:b,canary' })).toEqual([
      expect.stringMatching(/^otlp\.auth\.users: .*User 2 is none: expected user:password/),
    ]);
    const path = fileOf('a:b\nuser:$2y$05$canary\n');
    expect(errorsOf({ 'otlp.auth.users.path': path })).toEqual([
      expect.stringMatching(/user 2: its password is hashed with MD5, bcrypt/),
    ]);
    expect(errorsOf({ 'otlp.auth.users.path': fileOf('# none\n') })).toEqual([
      expect.stringContaining('there is no user'),
    ]);
    expect(errorsOf({ 'otlp.auth.users.path': '/nowhere/users' })).toEqual([
      'otlp.auth.users.path: Cannot read users: otlp.auth.users.path "/nowhere/users": ENOENT',
    ]);
    const shown = errorsOf({ 'otlp.auth.users': 'a:b,canary', 'otlp.auth.users.path': path }).join();
    expect(shown).not.toContain('canary');
  });
});
