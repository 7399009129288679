import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { type LedgerCommand, Money, NOVA_PER_DOLLAR } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { journalEventAt, type Ledger } from '@app/ledger';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { type Config, InjectConfig } from '../../platform/config.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { InjectEventStore } from '../../platform/journal/journal.module.js';
import { insertAccount, newAccount } from '../commands/register-member.js';
import { TERMS_VERSION } from '../limits.js';
import { SecretHashing } from '../secret-hashing.js';
import { DEMO_ADMIN, DEMO_GIFTS, DEMO_MEMBERS, DEMO_SIGN_INS } from './demo-members.js';

/** Any number: one process fills the installation, the others wait. */
const DEMO_LOCK = 7_266_182_002;
/** Takes turns with nobody yet: a start hashes before it listens. */
const DEMO_ASKER = { member: 'demo' };

/** All demo members share them; made at random for each installation, because others may reach it too. */
interface DemoSignIn {
  readonly password: string;
  readonly pin: string;
}

/** Fills an empty installation with members, an admin and their Nova. */
@Injectable()
export class DemoData {
  constructor(
    @InjectConfig() private readonly config: Config,
    @InjectPool() private readonly pool: pg.Pool,
    @InjectEventStore() private readonly store: EventStore,
    private readonly dataSource: DataSource,
    private readonly hashing: SecretHashing,
  ) {}

  /**
   * Makes the demo data where they are wanted and not there yet, and says how to sign in. What a crash left half-way is
   * finished: accounts are known by their e-mail, movements by their keys.
   * @returns whether this is a demo installation
   */
  async seedDemo(ledger: Ledger, log: (line: string) => void): Promise<boolean> {
    if (!(await this.wanted())) return false;
    const signIn = demoSignIn(this.config.dataDir);
    const client = await this.pool.connect();
    try {
      await client.query('select pg_advisory_lock($1)', [DEMO_LOCK]);
      try {
        if (!(await this.done())) await this.fill(ledger, signIn, log);
      } finally {
        await client.query('select pg_advisory_unlock($1)', [DEMO_LOCK]);
      }
    } finally {
      client.release();
    }
    await this.print(signIn, log);
    return true;
  }

  /** Where they are asked for, on an installation that nobody has used. */
  private async wanted(): Promise<boolean> {
    const { demoData, stripe } = this.config;
    // Demo purchases are no real ones: they have no place in a journal of real money.
    if (!demoData || stripe?.livemode) return false;
    let first = await journalEventAt(this.store, 0);
    if (first?.event.type === 'SigningBegan') first = await journalEventAt(this.store, 1);
    return first === undefined || first.event.cause === 'demo' || (await this.done());
  }

  private async done(): Promise<boolean> {
    const { rows } = await this.pool.query<{ done: boolean }>('select exists (select from demo_data) as done');
    return rows[0]?.done ?? false;
  }

  private async fill(ledger: Ledger, signIn: DemoSignIn, log: (line: string) => void): Promise<void> {
    log('Making demo members, their Nova and their gifts (once) …');
    const ids = await this.makeAccounts(signIn);
    for (const { command, key, actor } of demoCommands(ids)) {
      const outcome = await ledger.execute({
        command,
        actor,
        cause: 'demo',
        key: { scope: 'fact', value: `demo:${key}` },
      });
      // A start must not fail for this: what an older version had begun may differ from what this one makes.
      if (outcome.status !== 'accepted') log(`  left out: ${key} (${outcome.status})`);
    }
    await this.pool.query('insert into demo_data (done_at) values (now())');
  }

  /** Ids by e-mail address. */
  private async makeAccounts({ password, pin }: DemoSignIn): Promise<Map<string, string>> {
    const [passwordHash, pinHash] = await Promise.all([
      this.hashing.hash(password, DEMO_ASKER),
      this.hashing.hash(pin, DEMO_ASKER),
    ]);
    const emails = [DEMO_ADMIN, ...DEMO_MEMBERS].map(({ email }) => email);
    const { rows } = await this.pool.query<{ id: string; email_key: string }>(
      'select id, email_key from accounts where email_key = any($1)',
      [emails],
    );
    const ids = new Map(rows.map(({ id, email_key }) => [email_key, id]));
    for (const { name, email } of [DEMO_ADMIN, ...DEMO_MEMBERS]) {
      if (ids.has(email)) continue;
      const adminEmail = DEMO_ADMIN.email;
      const account = newAccount({
        displayName: name,
        email,
        passwordHash,
        pinHash,
        tcVersion: TERMS_VERSION,
        adminEmail,
      });
      await insertAccount(this.dataSource.manager, account);
      ids.set(email, account.id);
    }
    return ids;
  }

  /** Another process, with another data folder, may have made the members: then only it knows their password. */
  private async print({ password, pin }: DemoSignIn, log: (line: string) => void): Promise<void> {
    const { rows } = await this.pool.query<{ password_hash: string }>(
      'select password_hash from accounts where email_key = $1',
      [DEMO_ADMIN.email],
    );
    const known = await this.hashing.verify(rows[0]?.password_hash, password, DEMO_ASKER);
    if (!known) return;
    log('Demo data: sign in as any of these.');
    log(`  admin     ${DEMO_ADMIN.email}`);
    const shown = DEMO_MEMBERS.slice(0, DEMO_SIGN_INS);
    log(`  members   ${shown.map(({ email }) => email).join(', ')}`);
    log(`  password  ${password}   (recovery PIN ${pin})`);
  }
}

const minor = (nova: number): bigint => Money.fromNumber(nova).minor;

interface DemoStep {
  readonly command: LedgerCommand;
  readonly key: string;
  readonly actor: string;
}

function demoCommands(ids: ReadonlyMap<string, string>): DemoStep[] {
  const idOf = (email: string): string => {
    const id = ids.get(email);
    if (id === undefined) throw new Error(`no demo member has the e-mail address ${email}`);
    return id;
  };
  const adminId = idOf(DEMO_ADMIN.email);
  const bought = DEMO_MEMBERS.flatMap(({ email, bought: nova }): DemoStep[] => {
    if (nova === undefined) return [];
    const [userId, paymentIntentId] = [idOf(email), `pi_demo_${email.split('@', 1)[0]}`];
    const chargedCents = Math.ceil((nova * 100) / NOVA_PER_DOLLAR);
    const command = {
      type: 'RecordPurchase',
      userId,
      amount: minor(nova),
      paymentIntentId,
      chargedCents,
      livemode: false,
    } as const;
    return [{ command, key: `purchase:${email}`, actor: 'stripe' }];
  });
  const granted = DEMO_MEMBERS.flatMap(({ email, granted: nova }): DemoStep[] => {
    if (nova === undefined) return [];
    const command = { type: 'GrantNova', userId: idOf(email), adminId, amount: minor(nova) } as const;
    return [{ command, key: `grant:${email}`, actor: `admin:${adminId}` }];
  });
  const gifts = DEMO_GIFTS.map(([from, to, nova], index): DemoStep => {
    const senderId = idOf(from);
    const command = { type: 'SendGift', senderId, recipientId: idOf(to), amount: minor(nova) } as const;
    return { command, key: `gift:${index}`, actor: `member:${senderId}` };
  });
  return [...bought, ...granted, ...gifts];
}

/** Without letters and digits that are taken for one another. */
const PASSWORD_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

const randomText = (letters: string, length: number): string =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');

function demoSignIn(dataDir: string): DemoSignIn {
  const file = path.join(dataDir, 'secrets', 'demo-sign-in');
  if (!existsSync(file)) {
    const password = `${randomText(PASSWORD_LETTERS, 4)}-${randomText(PASSWORD_LETTERS, 4)}-${randomText(PASSWORD_LETTERS, 4)}`;
    writeFileSync(file, `${password} ${randomText('0123456789', 6)}\n`, { mode: 0o600 });
  }
  const [password = '', pin = ''] = readFileSync(file, 'utf8').trim().split(' ');
  return { password, pin };
}
