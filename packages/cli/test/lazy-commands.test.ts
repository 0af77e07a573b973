import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const levada = fileURLToPath(new URL('../bin/levada.js', import.meta.url));
const hook = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });`;

/** Modules that a command loads. */
async function modulesOf(...args: string[]): Promise<string> {
  const hookModule = `data:text/javascript,${encodeURIComponent(hook)}`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', hookModule, levada, ...args]);
  return stderr;
}

describe('levada', () => {
  it.each([
    [['--help']],
    [['connector', '--help']],
    [['project', '--help']],
    [['project', 'validate', '--help']],
  ])('loads nothing to print %j but what reads arguments', async (args) => {
    const modules = await modulesOf(...args);
    expect(modules).toContain('/commander/');
    expect(modules).not.toMatch(/stream-project-|connect-runtime-core|runtime-server|\/yaml\//);
  });

  it('says which Node a worker needs, where the other commands need an earlier one', async () => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '22.22.0' });`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, levada, 'worker', 'start'];
    const ended = promisify(execFile)(process.execPath, args);
    await expect(ended).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^levada: "levada worker" needs Node 22\.\d+ or newer, and this is Node 22\.22\.0\n$/,
      ),
    });
  });

  it('loads what compares texts only to compare them', async () => {
    const project = fileURLToPath(new URL('../../../examples/shop-project', import.meta.url));
    expect(await modulesOf('project', 'compile', project, '--dry-run')).not.toContain('/diff/');
    const changed = modulesOf('project', 'compile', project, '--diff', '--out', 'missing');
    await expect(changed).rejects.toMatchObject({ code: 3, stderr: expect.stringContaining('/diff/') });
  });

  it('loads no worker to check a project', async () => {
    const modules = await modulesOf('project', 'explain', 'LV1001');
    expect(modules).toContain('stream-project-compiler');
    expect(modules).not.toMatch(/runtime-server|connect-runtime-core/);
  });
});
