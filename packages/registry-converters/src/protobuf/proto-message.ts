import type { Schema } from '@levada/connect-runtime-core';
import type { LogicalKind, ScalarKind } from './well-known.ts';

/** A type in Protobuf. */
export type ProtoType =
  | { readonly kind: 'scalar'; readonly scalar: ScalarKind }
  /** A scalar in a wrapper message of `google/protobuf/wrappers.proto`. */
  | { readonly kind: 'wrapper'; readonly scalar: ScalarKind; readonly name: string }
  | { readonly kind: 'logical'; readonly logical: LogicalKind; readonly name: string }
  | { readonly kind: 'message'; readonly message: ProtoMessage }
  /** A message with key and value for each entry. */
  | { readonly kind: 'entries'; readonly message: ProtoMessage };

export interface ProtoField {
  readonly name: string;
  readonly number: number;
  readonly label: '' | 'optional' | 'repeated';
  readonly type: ProtoType;
  /** Name and value of each `confluent.field_meta` parameter. */
  readonly params: readonly (readonly [string, string])[];
  /** Schema of the value, or of the elements of an array. */
  readonly schema: Schema;
}

export interface ProtoMessage {
  readonly name: string;
  /** Filled after the message is created. */
  readonly fields: ProtoField[];
  readonly nested: ProtoMessage[];
}

/** A file with one top-level message. */
export interface ProtoFile {
  readonly package: string | undefined;
  readonly imports: readonly string[];
  readonly message: ProtoMessage;
}

/** The file as text, formatted as the registry prints it. */
export function protoText(file: ProtoFile): string {
  const head = ['syntax = "proto3";'];
  if (file.package !== undefined) head.push(`package ${file.package};`);
  const imports = file.imports.map((path) => `import "${path}";`);
  const parts = [head.join('\n'), ...(imports.length > 0 ? [imports.join('\n')] : [])];
  return `${[...parts, messageLines(file.message).join('\n')].join('\n\n')}\n`;
}

function messageLines({ name, fields, nested }: ProtoMessage): readonly string[] {
  const own = fields.flatMap(fieldLines);
  const inner = nested.flatMap(messageLines);
  const between = own.length > 0 && inner.length > 0 ? [''] : [];
  return [`message ${name} {`, ...own.map(indent), ...between, ...inner.map(indent), '}'];
}

function indent(line: string): string {
  return `  ${line}`;
}

function fieldLines({ name, number, label, type, params }: ProtoField): readonly string[] {
  const head = `${label === '' ? '' : `${label} `}${typeName(type)} ${name} = ${number}`;
  if (params.length === 0) return [`${head};`];
  const entries = params.flatMap(([key, value], at) => [
    '    {',
    `      key: ${JSON.stringify(key)},`,
    `      value: ${JSON.stringify(value)}`,
    `    }${at < params.length - 1 ? ',' : ''}`,
  ]);
  return [`${head} [(confluent.field_meta) = {`, '  params: [', ...entries, '  ]', '}];'];
}

function typeName(type: ProtoType): string {
  if (type.kind === 'scalar') return type.scalar;
  return 'message' in type ? type.message.name : type.name;
}
