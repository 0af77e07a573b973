import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyChange, blocksOf, type GuideBlock, runConsole, writeFile } from './run-guide.ts';

/**
 * The guide with what its commands print and the files of SQL and JSON that they write. Blocks of YAML are written as files in turn; a block of changes applies to the
 * commands after it, and is reverted then.
 */
export function fillGuide(markdown: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'levada-guide-'));
  try {
    const shown = consoleTexts(folder, blocksOf(markdown));
    return markdown.replace(
      /^```(console|(?:sql|json) \S+)\n[\s\S]*?^```$/gm,
      (_, head: string) => `\`\`\`${head}\n${shown.shift() ?? ''}\`\`\``,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function consoleTexts(folder: string, blocks: readonly GuideBlock[]): string[] {
  const shown: string[] = [];
  let changed: { readonly path: string; readonly text: string } | undefined;
  for (const block of blocks) {
    if (block.language === 'sql' || block.language === 'json')
      shown.push(readFileSync(join(folder, block.path), 'utf8'));
    else if (block.language === 'yaml') writeFile(folder, block);
    else if (block.language === 'diff') changed = { path: block.path, text: applyChange(folder, block) };
    else if (block.language === 'console') {
      shown.push(runConsole(folder, block.text));
      if (changed !== undefined) writeFile(folder, changed);
      changed = undefined;
    }
  }
  return shown;
}
