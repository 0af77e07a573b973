import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../test/run-command.ts';

describe('levada', () => {
  it('prints its commands for --help and ends with 0', async () => {
    const { code, out } = await runCommand(['--help']);
    expect(code).toBe(0);
    for (const name of ['worker', 'get', 'describe', 'topic']) expect(out).toContain(name);
  });

  it('prints its version', async () => {
    expect((await runCommand(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('lists and runs commands that a program adds', async () => {
    const ran: string[] = [];
    const run = async (): Promise<void> => {
      ran.push('demo');
    };
    const added = [{ name: 'demo', description: 'look around', run }];
    expect((await runCommand(['--help'], { added })).out).toMatch(/^ {2}demo +look around$/m);
    expect((await runCommand(['demo'], { added })).code).toBe(0);
    expect(ran).toEqual(['demo']);
  });

  it.each([
    ['an unknown command', ['gett'], 'did you mean get'],
    ['an unknown option', ['topic', 'list', '--foldr', 'x'], 'Did you mean --folder'],
    ['a missing argument', ['topic', 'read'], "missing required argument 'topic'"],
    ['a count that is no number', ['topic', 'tail', 'x', '-n', 'ten'], 'expected a whole number'],
    ['an unknown output form', ['get', 'connectors', '-o', 'xml'], 'Allowed choices are table, json, yaml'],
    [
      'an unknown resource',
      ['get', 'things'],
      '"things" is not one of connectors, workers, plugins, loggers',
    ],
  ])('ends with 2 for %s', async (_, args, message) => {
    const { code, err } = await runCommand(args);
    expect(code).toBe(2);
    expect(err.toLowerCase()).toContain(message.toLowerCase());
  });

  it('ends with 2 for a URL that cannot be one of a worker', async () => {
    const { code, err } = await runCommand(['get', 'connectors', '--url', 'localhost:8083']);
    expect(code).toBe(2);
    expect(err).toContain('expected http://host:port');
  });

  it('ends with 4 when somebody else answers there', async () => {
    const other = createServer((_request, response) => response.end('<html>hello</html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, err } = await runCommand(['get', 'connectors', '--url', `http://127.0.0.1:${port}`]);
    expect(code).toBe(4);
    expect(err).toContain('it is no worker');
    other.closeAllConnections();
    other.close();
  });

  it.each([
    ['with JSON', '{"error_code":404,"message":"HTTP 404 Not Found"}'],
    ['without JSON', '<html>not here</html>'],
  ])('ends with 4 when another service answers 404 %s', async (_, body) => {
    const other = createServer((_request, response) => response.writeHead(404).end(body));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    for (const args of [
      ['get', 'connectors'],
      ['describe', 'connector', 'a'],
      ['tap', 'a'],
    ]) {
      const { code, err } = await runCommand([...args, '--url', `http://127.0.0.1:${port}`]);
      expect([code, err]).toEqual([4, expect.stringContaining('it is no worker')]);
    }
  });

  it.each([
    [['--url', 'http://127.0.0.1:1', 'get', 'connectors']],
    [['--url=http://127.0.0.1:1', '--json', 'get', 'connectors']],
    [
      [
        '--no-color',
        '--url',
        'http://127.0.0.1:2',
        '-o',
        'json',
        'get',
        'connectors',
        '--url',
        'http://127.0.0.1:1',
      ],
    ],
  ])('takes options before the command: %j', async (args) => {
    const { code, err } = await runCommand(args);
    expect([code, err]).toEqual([4, expect.stringContaining('no worker answers at http://127.0.0.1:1:')]);
  });

  it('refuses an option before a command that does not have it', async () => {
    const { code, err } = await runCommand(['--url', 'http://127.0.0.1:1', 'project', 'ls']);
    expect([code, err]).toEqual([2, expect.stringContaining("unknown option '--url'")]);
  });

  it('ends with 4 and says what to do when no worker answers', async () => {
    const { code, err } = await runCommand(['get', 'connectors', '--url', 'http://127.0.0.1:1']);
    expect(code).toBe(4);
    expect(err).toContain('no worker answers at http://127.0.0.1:1');
    expect(err).toContain('levada worker dev');
  });
});
