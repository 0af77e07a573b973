import { isFieldSet } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  Edition,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { shownName } from '../model/shown-name.ts';
import { invalidDescriptor } from './invalid-descriptor.ts';

/** Longest name; longer ones are no names. */
const MAX_NAME = 1000;

/** Highest field number. */
const MAX_NUMBER = 536_870_911;

/** Types that a field names. */
const named: ReadonlySet<FieldDescriptorProto_Type> = new Set([
  FieldDescriptorProto_Type.MESSAGE,
  FieldDescriptorProto_Type.GROUP,
  FieldDescriptorProto_Type.ENUM,
]);

/**
 * Throws when a file breaks a rule of the language that can be checked in the file alone: names, numbers, labels, enums. A compiler
 * writes no such file, but a crafted or damaged one may be like that, and not all of it is refused later.
 */
export function checkFile(file: FileDescriptorProto): void {
  if (file.name === '' || file.name.length > MAX_NAME || /\p{Cc}/u.test(file.name)) {
    throw invalidDescriptor(`a file has no valid name: ${shownName(file.name)}`);
  }
  // In proto2, equal JSON names are a warning of the compiler only.
  const isStrict = file.syntax !== '' && file.syntax !== 'proto2';
  const rules = {
    isStrict,
    fail: (what: string) => invalidDescriptor(`${what} in file ${shownName(file.name)}`),
  };
  const { fail } = rules;
  checkSyntax(file, fail);
  if (file.package.length > MAX_NAME)
    throw fail(`package ${shownName(file.package)} is longer than ${MAX_NAME} characters`);
  if (file.package !== '') for (const part of file.package.split('.')) checkName('package', part, fail);
  for (const message of file.messageType) checkMessage(message, rules);
  for (const each of file.enumType) checkEnum(each, fail);
  for (const extension of file.extension) checkField(extension, fail);
  for (const service of file.service) {
    checkName('service', service.name, fail);
    for (const method of service.method) checkName('method', method.name, fail);
  }
}

function checkSyntax({ syntax, edition }: FileDescriptorProto, fail: Fail): void {
  if (!['', 'proto2', 'proto3', 'editions'].includes(syntax))
    throw fail(`syntax ${shownName(syntax)} is unknown`);
  // Editions beyond those of the library are refused by it.
  if (syntax === 'editions' && edition === Edition.EDITION_UNKNOWN) throw fail('the edition is missing');
}

/** Makes the error of a broken rule. */
type Fail = (what: string) => Error;

function checkMessage(
  message: DescriptorProto,
  rules: { readonly isStrict: boolean; readonly fail: Fail },
): void {
  const { isStrict, fail } = rules;
  checkName('message', message.name, fail);
  const numbers = new Set<number>();
  const jsonNames = new Set<string>();
  for (const field of message.field) {
    checkField(field, fail);
    const failed = (what: string): Error =>
      fail(`field ${shownName(field.name)} of message ${shownName(message.name)} ${what}`);
    if (numbers.has(field.number)) throw failed(`has number ${field.number} of another field`);
    if (isStrict && jsonNames.has(field.jsonName)) throw failed('has the JSON name of another field');
    numbers.add(field.number);
    jsonNames.add(field.jsonName);
    checkOneof(field, message.oneofDecl.length, failed);
  }
  for (const oneof of message.oneofDecl) checkName('oneof', oneof.name, fail);
  for (const extension of message.extension) checkField(extension, fail);
  for (const each of message.enumType) checkEnum(each, fail);
  for (const nested of message.nestedType) checkMessage(nested, rules);
}

function checkField(field: FieldDescriptorProto, fail: Fail): void {
  checkName('field', field.name, fail);
  const failed = (what: string): Error => fail(`field ${shownName(field.name)} ${what}`);
  const { number } = field;
  if (number < 1 || number > MAX_NUMBER) throw failed(`has number ${number}`);
  if (number >= 19_000 && number <= 19_999) throw failed(`has reserved number ${number}`);
  if (!isFieldSet(field, FieldDescriptorProtoSchema.field.type)) throw failed(`has no known type`);
  if (named.has(field.type) !== (field.typeName !== '')) {
    throw failed(`has ${field.typeName === '' ? 'no type name' : 'a type name and a scalar type'}`);
  }
  if (field.jsonName.length > MAX_NAME || /\p{Cc}/u.test(field.jsonName)) {
    throw failed(`has no valid JSON name`);
  }
}

/** `count`: oneofs of the message. */
function checkOneof(field: FieldDescriptorProto, count: number, fail: Fail): void {
  if (!isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex)) return;
  if (field.oneofIndex < 0 || field.oneofIndex >= count) throw fail('is in no known oneof');
  if (field.label === FieldDescriptorProto_Label.REPEATED) throw fail('is repeated in a oneof');
}

function checkEnum(each: EnumDescriptorProto, fail: Fail): void {
  checkName('enum', each.name, fail);
  if (each.value.length === 0) throw fail(`enum ${shownName(each.name)} has no values`);
  const numbers = new Set<number>();
  for (const { name, number } of each.value) {
    checkName('enum value', name, fail);
    if (numbers.has(number) && each.options?.allowAlias !== true) {
      throw fail(`enum ${shownName(each.name)} has two values ${number} and no allow_alias`);
    }
    numbers.add(number);
  }
}

function checkName(kind: string, name: string, fail: Fail): void {
  if (name.length <= MAX_NAME && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return;
  throw fail(`${kind} name ${shownName(name)} is no identifier`);
}
