export { nodeFileSystem } from './file-system.ts';
export { type LoadFolderOptions, loadProjectFolder } from './load-project-folder.ts';
export { makeFolders } from './make-folders.ts';
export { type WriteFilesOptions, type WrittenFiles, writeFiles } from './write-files.ts';
