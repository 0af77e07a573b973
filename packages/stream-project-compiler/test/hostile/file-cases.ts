import { casesOf, type HostileCase, type HostileEntries } from './hostile-case.ts';
import { soundProject, soundProjectFile, soundWith, withMistakeBeside } from './sound-project.ts';

const { 'stream_project.yml': _, ...withoutProjectFile } = soundProject;

/** Folders that hold no project, or hide a part of it. */
const refused = casesOf<HostileEntries>(
  'files',
  {
    'an empty folder': ['project-file-missing', {}],
    'no project file': ['project-file-missing', withoutProjectFile],
    'a project file of another name': [
      'project-file-missing',
      { ...withoutProjectFile, 'project.yml': soundProjectFile },
    ],
    'a project file in a folder': ['project-file-missing', { 'shop/stream_project.yml': soundProjectFile }],
    'two project files': ['project-file-twice', soundWith({ 'stream_project.yaml': soundProjectFile })],
    'a folder as project file': [
      'file-unreadable',
      { ...withoutProjectFile, 'stream_project.yml': { special: 'folder' } },
    ],
    'a pipe as project file': [
      'file-unreadable',
      { ...withoutProjectFile, 'stream_project.yml': { special: 'pipe' } },
    ],
    'a link to outside as project file': [
      'file-unreadable',
      { ...withoutProjectFile, 'stream_project.yml': { link: '/etc/hostname' } },
    ],
    'a link to itself as project file': [
      'file-unreadable',
      { ...withoutProjectFile, 'stream_project.yml': { link: 'stream_project.yml' } },
    ],
    'a project file that is a device': [
      'file-unreadable',
      { ...withoutProjectFile, 'stream_project.yml': { link: '/dev/zero' } },
    ],
    'a pipe among models': ['file-unreadable', soundWith({ 'models/pipe.yml': { special: 'pipe' } })],
    'a link to itself among models': [
      'file-unreadable',
      soundWith({ 'models/loop.yml': { link: 'loop.yml' } }),
    ],
    'links in a circle': [
      'file-unreadable',
      soundWith({ 'models/a.yml': { link: 'b.yml' }, 'models/b.yml': { link: 'a.yml' } }),
    ],
    'a link to nothing': ['file-unreadable', soundWith({ 'models/gone.yml': { link: 'gone-for-good.yml' } })],
    'folders 70 deep': [
      'project-too-large',
      soundWith({ [`models/${'d/'.repeat(70)}m.yml`]: 'models: []\n' }),
    ],
    'the same model in two files': [
      'duplicate-name',
      soundWith({ 'models/again.yml': soundProject['models/paid.yml'] }),
    ],
    'the same model through links': [
      'duplicate-name',
      soundWith({
        'shared/m.yml': soundProject['models/paid.yml'],
        'models/linked': { link: '../shared' },
      }),
    ],
  },
  (entries) => entries,
);

/** What is left out: a mistake beside it is found all the same. */
const read = casesOf<HostileEntries>(
  'files, beside a mistake',
  {
    'a link to the folder above': ['unknown-key', { 'models/up': { link: '..' } }],
    'a link to the folder itself': ['unknown-key', { 'models/here': { link: '.' } }],
    'a link to the root of the machine': ['unknown-key', { 'models/root': { link: '/' } }],
    'a link to a file outside': ['unknown-key', { 'models/passwd.yml': { link: '/etc/passwd' } }],
    'a folder of models that leads outside': ['unknown-key', { 'sources/more': { link: '/etc' } }],
    'links to each other': [
      'unknown-key',
      { 'models/a/b': { link: '../c' }, 'models/c/d': { link: '../a' } },
    ],
    'a folder with the name of a file': ['unknown-key', { 'models/folder.yml/m.yml': 'models: []\n' }],
    'names that differ in case': [
      'unknown-key',
      { 'models/Same.yml': 'models: []\n', 'models/same.yml': 'models: []\n' },
    ],
    'hidden files and others': [
      'unknown-key',
      { 'models/.hidden.yml': '[', 'models/notes.txt': '[', 'node_modules/x.yml': '[' },
    ],
    'a name with a line end': ['unknown-key', { 'models/a\nb.yml': 'models: []\n' }],
    'a name with a terminal sequence': ['unknown-key', { 'models/\u001b[31mred.yml': 'models: []\n' }],
    'a name of 200 letters': ['unknown-key', { [`models/${'n'.repeat(200)}.yml`]: 'models: []\n' }],
    'a link in .env': ['unknown-key', { 'shared.env': 'A=1\n', '.env': { link: 'shared.env' } }],
    '2,000 files': [
      'unknown-key',
      Object.fromEntries(Array.from({ length: 2000 }, (__, at) => [`models/m${at}.yml`, 'models: []\n'])),
    ],
  },
  withMistakeBeside,
);

/** Cases of reliability 3.7 that lie in the folder. */
export const fileCases: readonly HostileCase[] = [...refused, ...read];
