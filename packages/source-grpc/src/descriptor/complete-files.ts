import type { DescriptorProto, FieldDescriptorProto, FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { invalidDescriptor } from './invalid-descriptor.ts';
import { wellKnownFiles } from './well-known-files.ts';

/** Most characters of names that are looked up, which bounds the time that takes: 100,000 fields need some 20 million. */
const MAX_CHARACTERS = 128 * 1024 * 1024;

/** Answers what a name of a type is to be replaced with; `scope` is the full name of what it is written in. */
type Rename = (name: string, scope: string) => string;

/**
 * The files as a compiler would have written them, when they name types as a .proto file does (`Inner`, without a leading dot)
 * and leave out their imports, as those of the reflection service for Node do (`@grpc/reflection`, grpc/grpc-node#2595). Names are
 * looked up from the inside out, imports follow from them, and the types of protobuf itself are the well-known ones, in
 * whatever file they came. What is not found stays as it is. Files that name types in full are not touched.
 */
export function completed(
  files: ReadonlyMap<string, FileDescriptorProto>,
): ReadonlyMap<string, FileDescriptorProto> {
  if ([...files.values()].every(namesInFull)) return files;
  const own = [...files.values()].filter((file) => !isWellKnown(file));
  const types: Types = {
    homes: new Map([...wellKnownFiles.values(), ...own].flatMap(definedIn)),
    charactersLeft: MAX_CHARACTERS,
  };
  for (const file of own) {
    const imports = new Set(file.dependency);
    renameTypes(file, (name, scope) => {
      const found = resolved(name, scope, types);
      if (found === undefined) return name;
      const home = types.homes.get(found);
      if (home !== undefined && home !== file.name) imports.add(home);
      return `.${found}`;
    });
    file.dependency = [...imports];
  }
  return new Map(own.map((file) => [file.name, file]));
}

function namesInFull(file: FileDescriptorProto): boolean {
  let full = true;
  renameTypes(file, (name) => {
    full &&= name.startsWith('.');
    return name;
  });
  return full;
}

/** Whether a file holds nothing that protobuf itself does not define. */
function isWellKnown(file: FileDescriptorProto): boolean {
  // Entries of maps have other names there.
  const types = [...file.messageType, ...file.enumType];
  return file.package === PACKAGE && types.every(({ name }) => wellKnownTypes.has(name));
}

/** Where names are looked up. */
interface Types {
  /** Full names, with the file that defines each. */
  readonly homes: ReadonlyMap<string, string>;
  charactersLeft: number;
}

function resolved(name: string, scope: string, types: Types): string | undefined {
  const { homes } = types;
  if (name.startsWith('.')) return name.slice(1);
  for (let outer = scope; outer !== ''; outer = outer.slice(0, Math.max(0, outer.lastIndexOf('.')))) {
    types.charactersLeft -= outer.length + name.length;
    if (types.charactersLeft < 0) throw invalidDescriptor('too many long names of types are written in part');
    if (homes.has(`${outer}.${name}`)) return `${outer}.${name}`;
  }
  return homes.has(name) ? name : undefined;
}

/** Full names of the messages and enums of a file, with its name. */
function definedIn(file: FileDescriptorProto): (readonly [type: string, file: string])[] {
  const found: [string, string][] = [];
  const add = (scope: string, { messageType, enumType }: TypesOf): void => {
    for (const { name } of enumType) found.push([inScope(scope, name), file.name]);
    for (const message of messageType) {
      const name = inScope(scope, message.name);
      found.push([name, file.name]);
      add(name, { messageType: message.nestedType, enumType: message.enumType });
    }
  };
  add(file.package, file);
  return found;
}

type TypesOf = Pick<FileDescriptorProto, 'messageType' | 'enumType'>;

/** Replaces each name by which a field, an extension or a method refers to a type. */
function renameTypes(file: FileDescriptorProto, rename: Rename): void {
  const inField = (scope: string, field: FieldDescriptorProto): void => {
    if (field.typeName !== '') field.typeName = rename(field.typeName, scope);
    if (field.extendee !== '') field.extendee = rename(field.extendee, scope);
  };
  const inMessage = (outer: string, message: DescriptorProto): void => {
    const scope = inScope(outer, message.name);
    for (const field of [...message.field, ...message.extension]) inField(scope, field);
    for (const nested of message.nestedType) inMessage(scope, nested);
  };
  for (const message of file.messageType) inMessage(file.package, message);
  for (const extension of file.extension) inField(file.package, extension);
  for (const method of file.service.flatMap((service) => service.method)) {
    method.inputType = rename(method.inputType, file.package);
    method.outputType = rename(method.outputType, file.package);
  }
}

function inScope(scope: string, name: string): string {
  return scope === '' ? name : `${scope}.${name}`;
}

const PACKAGE = 'google.protobuf';

/** Names in the package of protobuf itself. */
const wellKnownTypes: ReadonlySet<string> = new Set(
  [...wellKnownFiles.values()]
    .filter((file) => file.package === PACKAGE)
    .flatMap((file) => [...file.messageType, ...file.enumType])
    .map(({ name }) => name),
);
