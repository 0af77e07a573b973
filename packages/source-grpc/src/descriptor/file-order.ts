import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { shownName } from '../model/shown-name.ts';
import { invalidDescriptor } from './invalid-descriptor.ts';
import { wellKnownFiles } from './well-known-files.ts';

/** A file whose imports are being visited. */
interface Visit {
  readonly file: FileDescriptorProto;
  next: number;
}

/**
 * The files with every import before what imports it, and files of protobuf itself that are missing added. Throws when
 * another import is missing, or when imports go in a circle. Not recursive: a chain of imports may be long.
 */
export function inImportOrder(
  files: ReadonlyMap<string, FileDescriptorProto>,
): readonly FileDescriptorProto[] {
  const ordered: FileDescriptorProto[] = [];
  const seen = new Map<string, 'open' | 'done'>();
  const path: Visit[] = [];
  const visit = (file: FileDescriptorProto): void => {
    seen.set(file.name, 'open');
    path.push({ file, next: 0 });
  };
  for (const root of files.values()) {
    if (!seen.has(root.name)) visit(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const name = top.file.dependency[top.next];
      top.next += 1;
      if (name === undefined) {
        seen.set(top.file.name, 'done');
        ordered.push(top.file);
        path.pop();
      } else if (seen.get(name) === 'open') throw circle(path, name);
      else if (!seen.has(name)) visit(files.get(name) ?? wellKnown(name, top.file));
    }
  }
  return ordered;
}

function wellKnown(name: string, importer: FileDescriptorProto): FileDescriptorProto {
  const file = wellKnownFiles.get(name);
  if (file !== undefined) return file;
  throw invalidDescriptor(
    `file ${shownName(name)}, imported by ${shownName(importer.name)}, is missing; compile with protoc --include_imports (buf build includes imports by default)`,
  );
}

function circle(path: readonly Visit[], name: string): Error {
  const names = path.map(({ file }) => file.name);
  const round = names.slice(names.indexOf(name));
  if (round.length === 1) return invalidDescriptor(`file ${shownName(name)} imports itself`);
  const shown = round.slice(0, 5).map(shownName).join(' imports ');
  const more = round.length > 5 ? ' and so on' : '';
  return invalidDescriptor(`imports go in a circle: ${shown}${more} imports ${shownName(name)}`);
}
