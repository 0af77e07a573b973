// What the thread of a task runs: the same configuration and plugins as the worker, with a link of its own to the brokers.
import { runTaskThread } from '@levada/connect-worker';
import { builtInPlugins, openTaskPlatform, runtimeOptions, type TaskThreadHost } from './compose.ts';
import { pluginFolders, readWorkerConfig } from './config/worker-config.ts';
import { loadPlugins } from './host/load-plugins.ts';
import { keepMemory } from './host/memory-keeper.ts';
import { threadMemory } from './host/this-process.ts';

await runTaskThread(async ({ host, logger, clock }) => {
  keepMemory({ clock, memory: threadMemory() });
  const { raw, environment } = host as TaskThreadHost;
  const builtIn = builtInPlugins(environment);
  const plugins = await loadPlugins(pluginFolders(raw), { clock, builtIn });
  const config = readWorkerConfig(raw, [...builtIn.converters, ...plugins.converters]);
  return runtimeOptions(config, {
    logger,
    clock,
    plugins,
    environment,
    platform: await openTaskPlatform(raw, { logger, clock }),
    // The worker resolves references, and is what others reach.
    configProviders: new Map(),
    workerId: '',
    scheme: 'http',
  });
});
