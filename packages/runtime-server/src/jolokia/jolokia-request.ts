import { JolokiaError } from './jolokia-error.ts';

/** Settings that a request may carry. */
export interface ProcessingOptions {
  /** Leave out attributes that cannot be read instead of failing. */
  readonly ignoreErrors: boolean;
  /** Keys of names in alphabetical order; that is the default. */
  readonly canonicalNaming: boolean;
  /** Levels of a list that are shown; 0: all. */
  readonly maxDepth: number;
}

/** One request of the protocol. */
export interface JolokiaRequest {
  readonly type: string;
  readonly mbean: string | undefined;
  /** One name, several, or all of them. */
  readonly attribute: string | readonly string[] | undefined;
  /** Way into the value. */
  readonly path: readonly string[];
  readonly options: ProcessingOptions;
  /** As it is repeated in the answer. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Reads the request of a GET from the decoded rest of its path, such as `read/java.lang:type=Memory/HeapMemoryUsage`. */
export function requestOfPath(text: string, query: URLSearchParams): JolokiaRequest {
  const [type = 'version', ...args] = splitPath(text);
  const raw: Record<string, unknown> = { type: type === '' ? 'version' : type };
  if (type === 'read') {
    const [mbean, attributes, ...path] = args;
    Object.assign(raw, { mbean, path });
    // All attributes, only in a path: jolokia.js asks so. In a body it is a name like others.
    if (attributes !== '*') raw['attribute'] = attributes;
  } else if (type === 'search') raw['mbean'] = args[0];
  else if (type === 'list') raw['path'] = args;
  return toRequest(raw, Object.fromEntries(query));
}

/** Reads one request of a POST. Throws a JolokiaError for what is none. */
export function requestOfJson(value: unknown, query: URLSearchParams): JolokiaRequest {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new JolokiaError(400, 'java.lang.IllegalArgumentException', 'A request is a JSON object');
  const raw = { ...value } as Record<string, unknown>;
  const { config } = raw;
  const own = typeof config === 'object' && config !== null ? config : {};
  return toRequest(raw, { ...Object.fromEntries(query), ...own });
}

function toRequest(raw: Record<string, unknown>, settings: Record<string, unknown>): JolokiaRequest {
  const { type, mbean, attribute, path } = raw;
  const parts = Array.isArray(path) ? path.map(String) : typeof path === 'string' ? splitPath(path) : [];
  const names = attributeNames(attribute);
  const shown = {
    type: String(type),
    ...(mbean === undefined ? {} : { mbean }),
    ...(names === undefined ? {} : { attribute: names }),
    ...(parts.length === 0 ? {} : { path: parts.join('/') }),
  };
  return {
    type: typeof type === 'string' ? type.toLowerCase() : '',
    mbean: typeof mbean === 'string' ? mbean : undefined,
    attribute: names,
    path: parts,
    options: {
      ignoreErrors: isTrue(settings['ignoreErrors'], false),
      canonicalNaming: isTrue(settings['canonicalNaming'], true),
      maxDepth: Number(settings['maxDepth']) || 0,
    },
    shown,
  };
}

/** One name, or several as a list or separated by commas; undefined for all attributes. */
function attributeNames(attribute: unknown): JolokiaRequest['attribute'] {
  if (Array.isArray(attribute)) return attribute.map(String);
  if (typeof attribute !== 'string' || attribute === '') return undefined;
  return attribute.includes(',') ? attribute.split(',') : attribute;
}

function isTrue(value: unknown, fallback: boolean): boolean {
  return value === undefined ? fallback : value === true || value === 'true';
}

/** The parts of a path: `!/` is a slash, `!!` an exclamation mark, `!"` a quotation mark. */
function splitPath(text: string): readonly string[] {
  const parts = text.replace(/^\/+/, '').match(/(?:!.|[^!/])+/gs) ?? [];
  return parts.map((part) => part.replaceAll(/!(.)/gs, '$1'));
}
