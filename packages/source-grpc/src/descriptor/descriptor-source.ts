import { existsSync } from 'node:fs';
import { ConnectorError } from '@levada/connect-runtime-core';
import { readRegularFile } from '@levada/connect-runtime-core/source-kit';
import { base64Bytes } from './base64-text.ts';
import { invalidDescriptor } from './invalid-descriptor.ts';

/** Largest descriptor, all files together. */
export const MAX_DESCRIPTOR_BYTES = 16 * 1024 * 1024;

/** Longest path that is looked for; longer text is base64. */
const MAX_PATH = 4096;

/** Longest text that an error shows; longer text is more likely base64 than a path. */
const MAX_SHOWN = 80;

/** The bytes of one descriptor set, and where they come from, for errors. */
export interface DescriptorSource {
  readonly from: string;
  readonly bytes: Uint8Array;
}

/** What a configuration names: descriptor sets, and paths of .proto files. */
export interface DescriptorSources {
  readonly sets: readonly DescriptorSource[];
  readonly protoPaths: readonly string[];
}

/**
 * The sets and .proto files that a configuration names: a path, several paths with commas between, or base64 text. Text with the
 * prefix `base64:` is base64; text that begins with `/` or `.`, ends in `.proto` or names an existing file is a path; anything
 * else is base64 when it decodes to what a set begins with. Throws an `Invalid proto descriptor` error when neither can be
 * read. Never blocks.
 */
export function descriptorSources(text: string): DescriptorSources {
  if (text.startsWith('base64:')) return { sets: [inline(text.slice('base64:'.length))], protoPaths: [] };
  if (!isPath(text) && !text.includes(',')) return { sets: [inline(text)], protoPaths: [] };
  const paths = (isPath(text) ? [text] : text.split(',').map((path) => path.trim())).filter(
    (path) => path !== '',
  );
  const sets = paths.filter((path) => !isProto(path)).map(file);
  const bytes = sets.reduce((sum, source) => sum + source.bytes.length, 0);
  if (bytes > MAX_DESCRIPTOR_BYTES) throw tooLarge(`the ${sets.length} files together are`);
  return { sets, protoPaths: paths.filter(isProto) };
}

function isPath(text: string): boolean {
  const single = (/^[./]/.test(text) || isProto(text)) && !text.includes(',');
  return single || (text.length <= MAX_PATH && existsSync(text));
}

function isProto(path: string): boolean {
  return path.endsWith('.proto');
}

function file(path: string): DescriptorSource {
  try {
    return { from: `"${path}"`, bytes: readRegularFile(path, MAX_DESCRIPTOR_BYTES) };
  } catch (thrown) {
    const cause = ConnectorError.from(thrown);
    throw invalidDescriptor(cause.message, { code: cause.code, cause });
  }
}

function inline(text: string): DescriptorSource {
  const bytes = base64Bytes(text);
  // A descriptor set begins with the tag of its first file.
  if (bytes === undefined || bytes[0] !== 0x0a) {
    const isName = text.length <= MAX_SHOWN && /^[\x20-\x7e]*$/.test(text);
    const shown = isName ? `"${text}"` : `text of ${text.length} characters`;
    throw invalidDescriptor(`${shown} is neither the path of a file nor base64 of a descriptor set`);
  }
  if (bytes.length > MAX_DESCRIPTOR_BYTES) throw tooLarge('the base64 text is');
  return { from: 'the base64 text', bytes };
}

function tooLarge(what: string): ConnectorError {
  return invalidDescriptor(`${what} larger than ${MAX_DESCRIPTOR_BYTES} bytes`);
}
