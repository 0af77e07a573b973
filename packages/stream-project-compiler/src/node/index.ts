export { nodeFileSystem } from './file-system.ts';
export { type LoadFolderOptions, loadProjectFolder } from './load-project-folder.ts';
