import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';

/** A member with a session. */
export interface BenchMember {
  readonly id: string;
  readonly displayName: string;
  readonly cookie: string;
}

const INSERT_MEMBERS = `
  with given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) as given(id, device_id, token_hash, name)),
  made as (
    insert into accounts (id, email, email_key, display_name, name_key, password_hash, pin_hash, tc_version, tc_accepted_at)
    select id, id || '@bench.example', id || '@bench.example', name, lower(name), '', '', '1.0', now()
    from given returning id),
  devices as (
    insert into devices (id, account_id, token_hash, user_agent)
    select device_id, given.id, token_hash, 'bench' from given join made using (id) returning id)
  insert into sessions (id, token_hash, account_id, device_id, expires_at)
  select gen_random_uuid(), token_hash, given.id, device_id, now() + interval '1 day'
  from given join made using (id) join devices on devices.id = device_id`;

/** Creates members by SQL, because hashing thousands of passwords is not measured. */
export async function makeMembers(
  pool: pg.Pool,
  count: number,
  nameOf: (n: number) => string = (n) => `Member ${n}`,
): Promise<BenchMember[]> {
  const members = Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    displayName: nameOf(n),
    token: randomBytes(32).toString('base64url'),
  }));
  await pool.query(INSERT_MEMBERS, [
    members.map(({ id }) => id),
    members.map(() => randomUUID()),
    members.map(({ token }) => createHash('sha256').update(token).digest()),
    members.map(({ displayName }) => displayName),
  ]);
  return members.map(({ id, displayName, token }) => ({ id, displayName, cookie: `nova_session=${token}` }));
}
