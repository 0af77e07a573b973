import { systemClock } from '@levada/connect-runtime-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRest, type RestServer } from '../src/http/open-rest.ts';
import type { RestContext } from '../src/rest/route.ts';
import { LoggerLevels } from '../src/telemetry/logger-levels.ts';

let rest: RestServer;
beforeAll(async () => {
  rest = await openRest({
    listeners: [{ scheme: 'http', host: '127.0.0.1', port: 0 }],
    adminListeners: [{ scheme: 'http', host: '127.0.0.1', port: 0 }],
    admission: { allowedHosts: new Set(), allowedOrigins: new Set(), allowedMethods: [] },
    headers: [
      ['X-Own', 'yes'],
      ['cache-control', 'max-age=5'],
    ],
    clock: systemClock,
  });
});
afterAll(() => rest.close(500));

const get = (at: 'listeners' | 'adminListeners', path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${rest[at][0]?.port}${path}`);

describe('openRest', () => {
  it('answers from the first moment that the worker is starting', async () => {
    const health = await get('listeners', '/health');
    expect(health.status).toBe(503);
    expect(await health.json()).toEqual({ status: 'starting', message: 'Worker is still starting up.' });
    expect((await get('listeners', '/health/ready')).status).toBe(503);
    expect((await get('listeners', '/health/live')).status).toBe(200);
    const other = await get('listeners', '/connectors');
    expect(other.status).toBe(503);
    expect(await other.json()).toEqual({ error_code: 503, message: 'Worker is still starting up.' });
  });

  it('serves admin endpoints on their own listener, and there nothing else', async () => {
    rest.serve({
      clock: systemClock,
      strict: false,
      logRequests: false,
      levels: new LoggerLevels('INFO', systemClock),
      serverInfo: async () => ({ version: '3.9.1', commit: '', clusterId: '' }),
    } as Partial<RestContext> as RestContext);
    expect((await get('listeners', '/')).headers.get('x-own')).toBe('yes');
    // In place of the worker's own.
    expect((await get('listeners', '/')).headers.get('cache-control')).toBe('max-age=5');
    expect((await get('listeners', '/admin/loggers')).status).toBe(404);
    expect((await get('adminListeners', '/admin/loggers')).status).toBe(200);
    expect((await get('adminListeners', '/')).status).toBe(404);
  });
});
