import {
  type DescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { shownName } from '../model/shown-name.ts';
import { invalidDescriptor } from './invalid-descriptor.ts';
import type { TypeSymbol } from './symbols.ts';

type Symbols = ReadonlyMap<string, TypeSymbol>;

/** Types that the key of a map may not have. */
const noKeys: ReadonlySet<FieldDescriptorProto_Type> = new Set([
  FieldDescriptorProto_Type.DOUBLE,
  FieldDescriptorProto_Type.FLOAT,
  FieldDescriptorProto_Type.BYTES,
  FieldDescriptorProto_Type.MESSAGE,
  FieldDescriptorProto_Type.GROUP,
  FieldDescriptorProto_Type.ENUM,
]);

/** Throws when a field, extension or method names a type that does not exist or is none of that kind, or a map is no map. */
export function checkReferences(files: readonly FileDescriptorProto[], symbols: Symbols): void {
  const extended = new Set<string>();
  const checkExtension = (extension: FieldDescriptorProto): void => {
    const extendee = withoutDot(extension.extendee);
    messageNamed(extendee, symbols);
    const place = `${extendee} ${extension.number}`;
    if (extended.has(place)) {
      throw invalidDescriptor(`${shownName(extendee)} is extended twice with number ${extension.number}`);
    }
    extended.add(place);
    checkType(extension, { symbols, entries: new Map() });
  };
  const checkMessage = (message: DescriptorProto, typeName: string): void => {
    const entries = mapEntries(message, typeName);
    for (const field of message.field) checkType(field, { symbols, entries });
    const unused = [...entries.values()].find(({ users }) => users !== 1);
    if (unused !== undefined)
      throw invalidDescriptor(`map entry ${shownName(unused.typeName)} is not of one field`);
    message.extension.forEach(checkExtension);
    for (const nested of message.nestedType) checkMessage(nested, `${typeName}.${nested.name}`);
  };
  for (const file of files) {
    const prefix = file.package === '' ? '' : `${file.package}.`;
    for (const message of file.messageType) {
      if (message.options?.mapEntry === true) throw fakeEntry(`${prefix}${message.name}`);
      checkMessage(message, `${prefix}${message.name}`);
    }
    file.extension.forEach(checkExtension);
    for (const { inputType, outputType } of file.service.flatMap((service) => service.method)) {
      for (const type of [inputType, outputType]) messageNamed(withoutDot(type), symbols);
    }
  }
}

/** The entry type of a map, which the compiler makes, and how many fields use it. */
interface MapEntry {
  readonly typeName: string;
  users: number;
}

function mapEntries(message: DescriptorProto, typeName: string): ReadonlyMap<string, MapEntry> {
  const entries = new Map<string, MapEntry>();
  for (const nested of message.nestedType) {
    if (nested.options?.mapEntry !== true) continue;
    const name = `${typeName}.${nested.name}`;
    if (!isEntry(nested)) throw fakeEntry(name);
    entries.set(name, { typeName: name, users: 0 });
  }
  return entries;
}

/** Whether a message is what the compiler makes of a map: a key and a value, nothing else. */
function isEntry({ field, nestedType, enumType, extension, oneofDecl }: DescriptorProto): boolean {
  const [key, value] = field;
  if (field.length !== 2 || key?.number !== 1 || value?.number !== 2) return false;
  if (nestedType.length + enumType.length + extension.length + oneofDecl.length > 0) return false;
  if (field.some(({ label }) => label === FieldDescriptorProto_Label.REPEATED)) return false;
  return !noKeys.has(key.type) && value.type !== FieldDescriptorProto_Type.GROUP;
}

interface TypeScope {
  readonly symbols: Symbols;
  /** Map entries of the message that has the field. */
  readonly entries: ReadonlyMap<string, MapEntry>;
}

function checkType(field: FieldDescriptorProto, { symbols, entries }: TypeScope): void {
  if (field.typeName === '') return;
  const typeName = withoutDot(field.typeName);
  if (field.type === FieldDescriptorProto_Type.ENUM) {
    if (symbols.get(typeName)?.kind !== 'enum') throw unknown('enum', typeName);
    return;
  }
  const entry = entries.get(typeName);
  if (entry === undefined) {
    messageNamed(typeName, symbols);
    return;
  }
  entry.users += 1;
  const isMap =
    field.label === FieldDescriptorProto_Label.REPEATED && field.type === FieldDescriptorProto_Type.MESSAGE;
  if (!isMap) throw fakeEntry(typeName);
}

/** Throws unless the name is that of a message that one may use; the entry type of a map is none. */
function messageNamed(typeName: string, symbols: Symbols): void {
  const symbol = symbols.get(typeName);
  if (symbol?.kind !== 'message') throw unknown('message', typeName);
  if (symbol.message.options?.mapEntry === true) throw fakeEntry(typeName);
}

function unknown(kind: string, typeName: string): Error {
  return invalidDescriptor(`${kind} type ${shownName(typeName)} is used and not defined`);
}

function fakeEntry(typeName: string): Error {
  return invalidDescriptor(
    `${shownName(typeName)} says that it is the entry of a map and is not used as one`,
  );
}

function withoutDot(typeName: string): string {
  return typeName.startsWith('.') ? typeName.slice(1) : typeName;
}
