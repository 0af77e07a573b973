import type { DescriptorProto, FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { shownName } from '../model/shown-name.ts';
import { invalidDescriptor } from './invalid-descriptor.ts';

/** What a full name stands for, among what other descriptors refer to. */
export type TypeSymbol =
  | { readonly kind: 'enum' }
  | { readonly kind: 'message'; readonly message: DescriptorProto };

/** Something with a name in some scope. */
type Named = { readonly name: string };

/**
 * Messages and enums by full name, without a leading dot. Throws when two things have the same full name, whatever they are:
 * values of an enum count as names beside it, as in C++.
 */
export function symbolTable(files: readonly FileDescriptorProto[]): ReadonlyMap<string, TypeSymbol> {
  const symbols = new Map<string, TypeSymbol>();
  const scopes = new Map<string, Set<string>>();
  const addMessage = (message: DescriptorProto, typeName: string): void => {
    symbols.set(typeName, { kind: 'message', message });
    const { field, oneofDecl, extension, nestedType, enumType } = message;
    claim(new Set(), typeName, [field, oneofDecl, extension, nestedType, enumType, values(enumType)]);
    for (const each of enumType) symbols.set(`${typeName}.${each.name}`, { kind: 'enum' });
    for (const nested of nestedType) addMessage(nested, `${typeName}.${nested.name}`);
  };
  for (const { package: scope, messageType, enumType, service, extension } of files) {
    const prefix = scope === '' ? '' : `${scope}.`;
    const taken = scopes.get(scope) ?? new Set();
    scopes.set(scope, taken);
    claim(taken, scope, [messageType, enumType, service, extension, values(enumType)]);
    for (const each of service) claim(new Set(), `${prefix}${each.name}`, [each.method]);
    for (const each of enumType) symbols.set(`${prefix}${each.name}`, { kind: 'enum' });
    for (const message of messageType) addMessage(message, `${prefix}${message.name}`);
  }
  checkPackages(scopes);
  return symbols;
}

function values(enums: readonly { readonly value: readonly Named[] }[]): readonly Named[] {
  return enums.flatMap((each) => each.value);
}

function claim(taken: Set<string>, scope: string, groups: readonly (readonly Named[])[]): void {
  for (const group of groups) {
    for (const { name } of group) {
      if (taken.has(name)) throw twice(scope === '' ? name : `${scope}.${name}`);
      taken.add(name);
    }
  }
}

/** A package is a name in the package around it. */
function checkPackages(scopes: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const scope of scopes.keys()) {
    const parts = scope.split('.');
    for (const [depth, part] of parts.entries()) {
      if (scopes.get(parts.slice(0, depth).join('.'))?.has(part) === true) {
        throw twice(parts.slice(0, depth + 1).join('.'));
      }
    }
  }
}

function twice(name: string): Error {
  return invalidDescriptor(`${shownName(name)} is defined twice`);
}
