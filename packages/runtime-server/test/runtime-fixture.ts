import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawConfig, silentLogger, systemClock } from '@levada/connect-runtime-core';
import { createScriptedConnector, type ScriptedPeer, waitFor } from '@levada/connect-runtime-core/testing';
import { composeRuntime, openPlatform } from '../src/compose.ts';
import { readWorkerConfig } from '../src/config/worker-config.ts';
import { setClusterLevel } from '../src/rest/admin-routes.ts';
import { createRestHandler, routes } from '../src/rest/handler.ts';
import { createExposition } from '../src/telemetry/exposition.ts';
import type { LogLine } from '../src/telemetry/log-line.ts';
import { LoggerLevels } from '../src/telemetry/logger-levels.ts';
import { RecentLines } from '../src/telemetry/recent-lines.ts';

/** An answer, its JSON read. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  readonly json: any;
}

/** A runtime over an embedded log in a folder of its own, asked through the handler, without a socket. */
export interface RuntimeFixture {
  readonly peer: ScriptedPeer;
  /** Logs a line. */
  log(line: LogLine): void;
  call(
    method: string,
    target: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Asks until the answer fits. */
  until(target: string, fits: (answer: Answer) => boolean): Promise<Answer>;
  close(): Promise<void>;
}

/** Class name of the connector that is installed beside the built-in ones. */
export const scriptedClass = 'io.vendor.connect.scripted.ScriptedSourceConnector';

/** Starts a runtime. Worker keys beside the storage folder may be given. */
export async function startRuntime(raw: RawConfig = {}): Promise<RuntimeFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-rest-'));
  const config = readWorkerConfig({ 'embedded.storage.folder': folder, ...raw });
  const context = { logger: silentLogger, clock: systemClock };
  const platform = await openPlatform(config, context);
  const { connector, peer } = createScriptedConnector();
  const levels = new LoggerLevels('INFO', systemClock);
  const runtime = composeRuntime(config, {
    platform,
    ...context,
    onLoggerLevel: (logger, level) => setClusterLevel({ levels, herder: runtime.herder }, logger, level),
    workerId: '127.0.0.1:8083',
    scheme: 'http',
    plugins: { connectors: [connector] },
    configProviders: new Map(),
  });
  const { herder } = runtime;
  const recentLines = new RecentLines(systemClock);
  const handle = createRestHandler(routes, {
    herder,
    clock: systemClock,
    log: () => undefined,
    serverInfo: async () => ({ version: '3.9.1', commit: 'c', clusterId: await platform.clusterId() }),
    platformHealth: () => runtime.platformHealth(),
    groupFindings: () => runtime.groupFindings(),
    levels,
    recentLines,
    exposition: createExposition({
      metrics: runtime.metrics,
      names: 'strimzi',
      maxSeries: 100_000,
      labels: { version: '1' },
      process: () => ({ residentBytes: 1, cpuSeconds: 1 }),
      logHealth: () => ({ status: 'ok' }),
      groupFindings: () => runtime.groupFindings().length,
      descriptorsExhausted: () => 0,
    }),
    statusConnection: false,
    dialect: config.values['rest.dialect'] as '3.9' | '4.x',
    strict: raw['rest.compat.strict'] === 'true',
    logRequests: false,
  });
  await runtime.start();
  const call: RuntimeFixture['call'] = async (method, target, body, headers = {}) => {
    const typed = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await handle({
      method,
      target,
      headers: new Map(Object.entries({ ...typed, ...headers })),
      body: bytesOf(body),
      baseUrl: 'http://worker.example:8083',
    });
    const isJson = response.headers['content-type'] === 'application/json';
    const json: unknown = isJson && response.body !== '' ? JSON.parse(response.body) : undefined;
    let text = response.body;
    for await (const part of response.stream ?? []) text += part;
    return { status: response.status, headers: response.headers, text, json };
  };
  return {
    peer,
    log: recentLines.sink,
    call,
    until: (target, fits) =>
      waitFor(async () => {
        const answer = await call('GET', target);
        return fits(answer) ? answer : undefined;
      }),
    close: async () => {
      await runtime.stop();
      await platform.close({ timeoutMs: 1000 });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array();
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}
