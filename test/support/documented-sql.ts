import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The blocks of SQL in a section of `docs/postgres.md`, each as statements. */
export function documentedSql(title: string): string[][] {
  const operations = readFileSync(path.resolve(import.meta.dirname, '../../docs/postgres.md'), 'utf8');
  const [, section = ''] = new RegExp(`^## ${title}\n(.*?)^#`, 'ms').exec(operations) ?? [];
  return [...section.matchAll(/^ *```sql\n(.*?)^ *```/gms)].map(([, sql = '']) =>
    sql
      .split(';')
      .map((statement) => statement.trim())
      .filter((statement) => statement !== ''),
  );
}
