import { ConnectorError, systemClock } from '@levada/connect-runtime-core';
import { checkGroup, type GroupReport } from '@levada/connect-worker';
import { builtInPlugins, openPlatform, runtimeOptions } from './compose.ts';
import type { WorkerConfig } from './config/worker-config.ts';
import { loadPlugins } from './host/load-plugins.ts';
import { createLogging } from './telemetry/create-logging.ts';

/** Longest for brokers to answer. */
const ANSWER_TIMEOUT_MS = 30_000;
/** To close connections. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * What a worker of this configuration would say of the connectors of its group if it joined: classes that it does not have. Loads
 * plugins and asks the brokers. Rejects with a ConnectorError when they do not answer within 30 s, or when the storage has no groups.
 */
export async function checkWorkerGroup(
  config: WorkerConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<GroupReport> {
  // Its log is one folder, which belongs to the worker that runs.
  if (config.storage === 'embedded')
    throw new ConnectorError('config_invalid', 'a worker with embedded storage has no group');
  const clock = systemClock;
  const logger = createLogging({ sink: () => undefined, level: 'ERROR', clock }).logger('levada.check');
  const builtIn = builtInPlugins(environment);
  const plugins = await loadPlugins(config.values['plugin.path'], { clock, builtIn });
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
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
    return await Promise.race([checkGroup(options, signal), rejectAtTimeout(signal)]);
  } finally {
    await platform.close({ timeoutMs: CLOSE_TIMEOUT_MS });
  }
}

/** Also for what cannot be cancelled. */
function rejectAtTimeout(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(new ConnectorError('timeout', `the brokers did not answer within ${ANSWER_TIMEOUT_MS} ms`)),
    );
  });
}
