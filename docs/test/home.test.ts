import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const page = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('the figures of the home page are those of the page that it links to', () => {
  const [, matter = ''] = page('index.md').split(/^---$/m);
  const { proof } = parse(matter) as { readonly proof: { readonly text: string; readonly link: string } };
  const figures = proof.text.match(/\d[\d.]*(?:k| %)/g) ?? [];
  expect(figures).toHaveLength(3);
  const [, table = ''] = /### WebSocket([^#]*)/.exec(page(`${proof.link.slice(1)}.md`)) ?? [];
  for (const figure of figures) expect(table).toContain(figure);
});
