import type { ObjectMemory } from '../resolve/object-memory.ts';
import type { ProjectManifest } from './manifest.ts';

/**
 * A manifest as `JSON.stringify` with an indentation of two writes it. Text of definitions that did not change is not made again:
 * with a thousand models it is two megabytes.
 */
export function manifestText(manifest: ProjectManifest, memory: ObjectMemory): string {
  return `${objectText(manifest, '', memory)}\n`;
}

function objectText(value: object, indent: string, memory: ObjectMemory): string {
  const inner = `${indent}  `;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  const lines = entries.map(([key, part]: [string, unknown]) => {
    const text =
      key === 'artifacts' && typeof part === 'object' && part !== null
        ? objectText(part, inner, memory)
        : partText(part, inner, memory);
    return `${inner}${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${listed(lines)}\n${indent}}`;
}

/** "join" would copy all of the text, added pieces are put together when somebody reads it. */
function listed(items: readonly string[]): string {
  let text = items[0] ?? '';
  for (const item of items.slice(1)) text += `,\n${item}`;
  return text;
}

function partText(part: unknown, indent: string, memory: ObjectMemory): string {
  if (!Array.isArray(part) || part.length === 0) return indented(part, indent).slice(indent.length);
  return memory.remember('json', { object: part, needs: [indent] }, () => {
    const inner = `${indent}  `;
    const items = part.map((item: unknown) => itemText(item, inner, memory));
    return `[\n${items.join(',\n')}\n${indent}]`;
  });
}

function itemText(item: unknown, indent: string, memory: ObjectMemory): string {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return indented(item, indent);
  return memory.remember('json', { object: item, needs: [indent] }, () => indented(item, indent));
}

/**
 * A value with an indentation before each of its lines. "JSON.stringify" indents values within lists in one piece: adding spaces to
 * lines would take as long again.
 */
function indented(value: unknown, indent: string): string {
  const depth = indent.length / 2;
  let within = value;
  for (let level = 0; level < depth; level += 1) within = [within];
  const text = JSON.stringify(within, undefined, 2);
  // Each list opens with a line of its indentation and "[", and closes with one of "]"
  const opened = depth * (depth + 1);
  return text.slice(opened, text.length - opened);
}
