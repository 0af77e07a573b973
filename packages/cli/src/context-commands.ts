import { argument, type CommandRow, command, repeatable } from './command-row.ts';
import type { ListContextsOptions, SetContextOptions } from './commands/contexts.ts';
import { outputOptions, workerOptions } from './worker-options.ts';

const name = argument('<name>', 'context');

/** `levada context` and its subcommands. */
export const contextCommands: CommandRow = {
  name: 'context',
  description: 'remember workers and how to reach them, in a file that only you can read',
  commands: [
    command<[name: string], SetContextOptions>({
      name: 'set',
      description: 'write a context; what is not given stays as it is',
      arguments: [name],
      options: [
        ...workerOptions.filter(({ long }) => long !== '--context'),
        repeatable('--unset <key>', 'remove url, token, user, password, headers, ca, cert or key'),
      ],
      run: async ({ terminal }, [word], options) => {
        const { setContext } = await import('./commands/contexts.ts');
        await setContext(word, options, terminal);
      },
    }),
    command<[name: string], object>({
      name: 'use',
      description: 'let commands use a context when nothing else is said',
      arguments: [name],
      run: async ({ terminal }, [word]) => {
        const { useContext } = await import('./commands/contexts.ts');
        await useContext(word, terminal);
      },
    }),
    command<[], ListContextsOptions>({
      name: 'list',
      description: 'list contexts, without secrets',
      options: outputOptions,
      run: async ({ terminal }, _, options) => {
        const { listContexts } = await import('./commands/contexts.ts');
        await listContexts(options, terminal);
      },
    }),
    command<[name: string], object>({
      name: 'remove',
      description: 'remove a context',
      arguments: [name],
      run: async ({ terminal }, [word]) => {
        const { removeContext } = await import('./commands/contexts.ts');
        await removeContext(word, terminal);
      },
    }),
  ],
};
