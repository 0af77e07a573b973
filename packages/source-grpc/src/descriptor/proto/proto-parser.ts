import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { invalidDescriptor } from '../invalid-descriptor.ts';

/** The part of protobufjs that is used: its parser, which needs no code made at run time. */
export interface ProtoParser {
  readonly Root: new () => ProtoNode;
  readonly parse: ((source: string, root: ProtoNode, options: { readonly keepCase: true }) => ParsedFile) & {
    filename: string | null;
  };
}

/** What the parser says of a file; its definitions are in the root that it was given. */
export interface ParsedFile {
  readonly package?: string | undefined;
  readonly imports?: readonly string[] | undefined;
  readonly weakImports?: readonly string[] | undefined;
}

/** Options as they were written, one object a statement. */
type Written = { readonly parsedOptions?: readonly Readonly<Record<string, unknown>>[] | null };

/** A namespace, message, enum, service or extension: `className` of its constructor says which. */
export interface ProtoNode extends Written {
  readonly name: string;
  readonly constructor: unknown;
  readonly nestedArray?: readonly ProtoNode[];
}

export interface ProtoMessage extends ProtoNode {
  readonly fieldsArray: readonly ProtoField[];
  readonly oneofsArray: readonly ProtoOneof[];
  readonly extensions?: readonly (readonly [first: number, last: number])[] | undefined;
  readonly group?: boolean | undefined;
}

export interface ProtoOneof extends Written {
  readonly name: string;
}

export interface ProtoField extends ProtoNode {
  readonly id: number;
  readonly rule?: string | undefined;
  readonly type: string;
  /** Of a map. */
  readonly keyType?: string | undefined;
  /** The message that it extends. */
  readonly extend?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | null | undefined;
  readonly partOf?: ProtoOneof | null | undefined;
}

export interface ProtoEnum extends ProtoNode {
  readonly values: Readonly<Record<string, number>>;
}

export interface ProtoService extends ProtoNode {
  readonly methodsArray: readonly ProtoMethod[];
}

export interface ProtoMethod extends Written {
  readonly name: string;
  readonly requestType: string;
  readonly responseType: string;
  readonly requestStream?: boolean | undefined;
  readonly responseStream?: boolean | undefined;
}

/**
 * The parser that `@grpc/proto-loader` brings. Its own loader is not used: it forgets `json_name`, takes proto2 and editions for
 * proto3, and makes code at run time, which workers do not allow. Throws when the package is not installed.
 */
export function protoParser(places: readonly (string | undefined)[] = usualPlaces()): ProtoParser {
  for (const from of places) {
    const loader = from === undefined ? undefined : resolved(from);
    if (loader !== undefined) return createRequire(loader)('protobufjs') as ProtoParser;
  }
  throw invalidDescriptor(
    'install @grpc/proto-loader to read .proto files, or compile them with protoc --include_imports --descriptor_set_out',
  );
}

/** Beside this package, or, when this is part of a bundle, the folder that the program runs in. */
function usualPlaces(): readonly (string | undefined)[] {
  return [import.meta.url, pathToFileURL('./').href];
}

function resolved(from: string): string | undefined {
  try {
    return createRequire(from).resolve('@grpc/proto-loader');
  } catch {
    return undefined; // not installed there
  }
}
