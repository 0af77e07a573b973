export { compareFiles, type FileChange } from './compare-files.ts';
export { type LoadFolderOptions, loadProjectFolder, nodeFileSystem } from './file-system.ts';
export { makeFolders } from './make-folders.ts';
export { type WriteFilesOptions, type WrittenFiles, writeFiles } from './write-files.ts';
