import type { DataSource } from 'typeorm';
import { errorCode } from '../errors/error-code.js';
import { Explained, reasonOf } from '../errors/explained.js';

/** The second where the role may use no schema in which a table could be made. */
const MISSING_RIGHT = ['42501', '3F000'];
const READ_ONLY = '25006';
/** Two words of Postgres for an extension whose files are not there, the older one last. */
const MISSING_FILES = ['0A000', '58P01'];
const CAUSES_MAX = 10;
const GRANTS = 'docs/postgres.md (A Postgres of your own) lists what it needs';

/** Turns a failed start for lack of database rights into a sentence; any other error stays unchanged. */
export function explainMissingRight(error: unknown): unknown {
  if (error instanceof Explained) return error;
  let reason = error;
  for (let depth = 0; depth < CAUSES_MAX && typeof reason === 'object' && reason !== null; depth++) {
    const sentence = sentenceFor(reason);
    if (sentence !== undefined) return new Explained(sentence, { cause: error });
    reason = 'cause' in reason ? reason.cause : undefined;
  }
  return error;
}

function sentenceFor(error: object): string | undefined {
  const code = errorCode(error) ?? '';
  const why = `${reasonOf(error)}${'hint' in error && typeof error.hint === 'string' ? ` (${error.hint})` : ''}`;
  if (MISSING_RIGHT.includes(code)) return `The role of DATABASE_URL lacks a right: ${why}. ${GRANTS}.`;
  if (code === READ_ONLY) {
    return `The database that DATABASE_URL names can only be read: ${why}. Name the primary server, and a role that may write.`;
  }
  if (MISSING_FILES.includes(code) && why.includes('pg_trgm')) {
    return `The database server lacks the extension pg_trgm: ${why}. Install the contrib package of its Postgres.`;
  }
  return undefined;
}

/**
 * Whether the role can work with every table of ours, before a member meets the one it cannot work with; and a sentence for
 * whoever starts a server whose role may do more than Nova ever does. The journal may belong to another role whole, which lets
 * this one read it; what appends there works as its owner.
 * @throws Explained a table belongs to another role, as after a restore by one
 */
export async function checkRights(dataSource: DataSource, log: (line: string) => void): Promise<void> {
  const entities = dataSource.entityMetadatas.map(({ tableName }) => tableName);
  const [foreign] = await dataSource.query<{ name: string; owner: string }[]>(
    `select c.oid::regclass::text as name, pg_get_userbyid(c.relowner) as owner
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and (n.nspname in ('journal', 'ledger', 'read') or (n.nspname = 'public' and c.relname = any($1)))
       and not pg_has_role(c.relowner, 'usage')
       and not (n.nspname = 'journal' and c.relowner = n.nspowner and has_table_privilege(c.oid, 'select'))
     order by 1 limit 1`,
    [entities],
  );
  if (foreign) {
    throw new Explained(
      `The role of DATABASE_URL lacks a right: the table ${foreign.name} belongs to the role ${foreign.owner}. ${GRANTS}.`,
    );
  }
  const [superuser] = await dataSource.query<{ name: string }[]>(
    'select rolname as name from pg_roles where rolname = current_user and rolsuper',
  );
  if (superuser)
    log(`Warning: the role ${superuser.name} of DATABASE_URL is a superuser, and Nova needs none. ${GRANTS}.`);
}
