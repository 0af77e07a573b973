import { Secret } from './secret.ts';

/**
 * What library use takes for a key in addition to its own type: a value of the language in place of the text that REST takes.
 * `url`: a URL. `file`: the file: URL of a file, for its path. `bytes`: bytes, for their base64. `pem`: the bytes of PEM text.
 * `json`: an object, for its JSON. `list`: strings, for their list with commas. `numbers`: numbers among the items of a list.
 * `files`: file: URLs among them, for their paths.
 */
export type OptionForm = 'url' | 'file' | 'bytes' | 'pem' | 'json' | 'list' | 'numbers' | 'files';

interface Form {
  /** In messages. */
  readonly wanted: string;
  /** In TypeScript. */
  readonly type: string;
  /** The text that REST takes, or undefined when the value is none of this form. */
  readonly read: (value: unknown) => string | undefined;
}

/** Each form: how it is named, typed and read. */
export const optionForms: Readonly<Record<OptionForm, Form>> = {
  url: {
    wanted: 'a URL',
    type: 'URL',
    read: (value) => (value instanceof URL ? value.href : undefined),
  },
  file: {
    wanted: 'a file: URL',
    type: 'URL',
    read: (value) => (value instanceof URL && value.protocol === 'file:' ? pathOf(value) : undefined),
  },
  bytes: {
    wanted: 'bytes',
    type: 'Uint8Array',
    read: (value) => (value instanceof Uint8Array ? bufferOf(value).toString('base64') : undefined),
  },
  pem: {
    wanted: 'bytes',
    type: 'Uint8Array',
    read: (value) => (value instanceof Uint8Array ? bufferOf(value).toString('utf8') : undefined),
  },
  json: {
    wanted: 'an object',
    type: 'Readonly<Record<string, unknown>>',
    read: (value) => (isLiteral(value) ? jsonText(value) : undefined),
  },
  list: {
    wanted: 'a list of strings without commas',
    type: 'readonly string[]',
    read: (value) => (Array.isArray(value) && value.every(isListItem) ? value.join(',') : undefined),
  },
  numbers: {
    wanted: 'a list of strings and numbers',
    type: 'readonly (string | number)[]',
    read: (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'number' || isListItem(item))
        ? value.join(',')
        : undefined,
  },
  files: {
    wanted: 'a list of strings and file: URLs',
    type: 'readonly (string | URL)[]',
    read: (value) => {
      if (!Array.isArray(value)) return undefined;
      const paths = value.map((item) => (item instanceof URL ? optionForms.file.read(item) : item));
      return paths.every(isListItem) ? paths.join(',') : undefined;
    },
  },
};

/** Items are joined by commas in the form that REST takes, so none can hold one. */
export function isListItem(item: unknown): boolean {
  return typeof item === 'string' && !item.includes(',');
}

/** An object with members of the caller's; no list, and no object of a class that is a value by itself. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof URL) && !ArrayBuffer.isView(value);
}

/** Without node:url, which the core may not import. A drive of Windows has no slash before it. */
function pathOf(url: URL): string {
  return decodeURIComponent(url.pathname).replace(/^\/(?=[A-Za-z]:)/, '');
}

/** Undefined when something in it would be lost as JSON: a Map is written as {}, a Secret as its mask, and a cycle not at all. */
function jsonText(value: object): string | undefined {
  let lost = false;
  const replaced = function (
    this: Readonly<Record<string, unknown>>,
    name: string,
    member: unknown,
  ): unknown {
    lost ||= this[name] instanceof Secret || (typeof member === 'object' && !isJsonObject(member));
    return typeof member === 'bigint' ? String(member) : member; // ProtoJSON writes 64-bit integers as text
  };
  try {
    const text = JSON.stringify(value, replaced);
    return lost ? undefined : text;
  } catch {
    return undefined; // a cycle
  }
}

function isJsonObject(value: object | null): boolean {
  return value === null || Array.isArray(value) || isLiteral(value);
}

/** An object as it is written between braces, of this context or of another one. */
function isLiteral(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
