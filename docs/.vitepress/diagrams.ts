import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A picture of `diagrams/` as part of its page: it takes the colors of the page, and its words can be read and found. */
export function diagram(page: string, src: string, text: string): string | undefined {
  if (!/^\.\/diagrams\/[\w-]+\.svg$/.test(src)) return undefined;
  const svg = readFileSync(join(dirname(page), src), 'utf8')
    .replace(/^<!--.*-->\n/, '')
    .replace('<svg ', `<svg aria-label="${text}" `)
    .replaceAll('\n', '');
  return `<span class="diagram" v-pre tabindex="0">${svg}</span>`;
}
