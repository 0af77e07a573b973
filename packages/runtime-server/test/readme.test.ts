import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { connectorClasses } from '../src/compose.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

describe('the README of the worker', () => {
  it('lists every connector that is built in', () => {
    const rows = [...readme.matchAll(/^\| `(io\.vendor\.connect\.[\w.]+)` \|/gm)].map(([, name]) => name);
    expect(rows.toSorted()).toEqual(connectorClasses.toSorted());
    expect(readme).toContain(`${['One', 'Two', 'Three', 'Four'][connectorClasses.length - 1]} are built in;`);
  });
});
