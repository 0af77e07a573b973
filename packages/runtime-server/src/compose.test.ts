import { describe, expect, it } from 'vitest';
import { builtInConnectors } from './compose.ts';

describe('the built-in connectors', () => {
  it.each(builtInConnectors)('$className goes by the names and the version of its package', (entry) => {
    const { className, aliases, version } = entry.load();
    expect({ className, aliases, version }).toEqual({
      className: entry.className,
      aliases: entry.aliases,
      version: entry.version,
    });
  });
});
