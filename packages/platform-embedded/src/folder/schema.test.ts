import { describe, expect, it } from 'vitest';
import { bytes, collect, record, text } from '../../test/records.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openEmbeddedPlatform } from '../open-embedded-platform.ts';
import { folderLayout } from './folder-layout.ts';
import { migrate, migrations, schemaVersion } from './schema.ts';
import { openDatabase, scalar } from './sqlite.ts';

describe('migrate', () => {
  it('a file is upgraded step by step and keeps its content', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const producer = await platform.producer({ clientId: 'test' });
    await producer.send([record('t', 'kept', { key: bytes('k') })]);
    await platform.close();

    const database = await openDatabase(folderLayout(folder.path).log);
    const steps = [
      ...migrations,
      "ALTER TABLE topic ADD COLUMN owner TEXT NOT NULL DEFAULT 'unknown'",
      "UPDATE topic SET owner = 'somebody'",
    ];
    expect(migrate(database, 'log', steps)).toBe(migrations.length);
    expect(schemaVersion(database)).toBe(migrations.length + 2);
    expect(scalar(database, 'SELECT owner FROM topic')).toBe('somebody');
    expect(migrate(database, 'log', steps)).toBe(steps.length);
    database.exec(`PRAGMA user_version = ${migrations.length}; ALTER TABLE topic DROP COLUMN owner`);
    database.close();

    const again = await openEmbeddedPlatform({ folder: folder.path });
    const [stored] = await collect(again.reader().read({ topic: 't' }));
    expect(text(stored?.value ?? null)).toBe('kept');
    await again.close();
  });

  it('a failed step leaves the file unchanged', async () => {
    const database = await openDatabase(':memory:');
    const steps = ['CREATE TABLE a (x)', 'CREATE TABLE b (x); CREATE TABLE a (x)'];
    expect(() => migrate(database, 'log', steps)).toThrow('table a already exists');
    expect(schemaVersion(database)).toBe(1);
    expect(scalar(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'b'")).toBe(0);
    database.close();
  });
});
