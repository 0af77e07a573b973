import { systemClock } from '@levada/connect-runtime-core';
import { checkGroup, type GroupReport } from '@levada/connect-runtime-core/runtime';
import { builtInPlugins, openPlatform, runtimeOptions } from './compose.ts';
import type { WorkerConfig } from './config/worker-config.ts';
import { loadPlugins } from './host/load-plugins.ts';
import { createLogging } from './telemetry/create-logging.ts';

/** Longest for brokers to answer. */
const LIMIT_MS = 30_000;

/**
 * What a worker of this configuration would say of the connectors of its group if it joined: classes that it does not have. Loads
 * plugins and asks the brokers. Rejects with a ConnectorError when they do not answer within 30 s.
 */
export async function checkWorkerGroup(
  config: WorkerConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<GroupReport> {
  const clock = systemClock;
  const logger = createLogging({ sink: () => undefined, level: 'ERROR', clock }).logger('levada.check');
  const builtIn = builtInPlugins(environment);
  const plugins = await loadPlugins(config.values['plugin.path'], { clock, builtIn });
  const platform = await openPlatform(config, { logger, clock });
  try {
    const options = runtimeOptions(config, {
      platform,
      logger,
      clock,
      plugins,
      environment,
      configProviders: new Map(),
      workerId: '',
      scheme: 'http',
    });
    return await checkGroup(options, AbortSignal.timeout(LIMIT_MS));
  } finally {
    await platform.close({ timeoutMs: 1_000 });
  }
}
