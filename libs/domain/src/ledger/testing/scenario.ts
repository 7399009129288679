import { MEMBER_BALANCE_CURRENCY, type MemberBalance } from '../accounts.js';
import type { LedgerCommand } from '../commands.js';
import { CURRENCIES, type Currency } from '../currencies.js';
import { decide, type Decision } from '../decide.js';
import type { CommandKey, LedgerEvent, LedgerEventType } from '../events.js';
import type { ReversibleType } from '../movements/reversal.js';
import type { RejectionCode } from '../rejections.js';
import { Money } from '../../money/money.js';
import { LedgerState } from '../state.js';
import { canonical } from './canonical.js';
import { reversalIn } from './commands.js';
import { LedgerRun, assertSound, type Outcome, type StoredEvent } from './ledger-run.js';

type Given = LedgerCommand | readonly LedgerCommand[];

/**
 * A money scenario: *given* commands that were accepted, *when* further ones come, *then* these events, and this table
 * of balances before and after. A table must name every account that changed, and may name more.
 *
 * Rows besides accounts: `owed:{member}` (what pools owe), `shares:{pool}:{member}`.
 */
export function given(...commands: readonly Given[]): Scenario {
  const scenario = new Scenario();
  for (const command of commands.flat()) scenario.accept(command);
  return scenario;
}

export class Scenario {
  private outcomes: Outcome[] = [];
  private before = new Map<string, bigint>();
  private stateBefore = '';

  constructor(private readonly run = new LedgerRun()) {}

  get state() {
    return this.run.state;
  }

  get journal(): readonly StoredEvent[] {
    return this.run.journal;
  }

  /** The journal's time from now on. */
  at(ms: number): this {
    this.run.now = ms;
    return this;
  }

  get now(): number {
    return this.run.now;
  }

  /** Runs a command that only sets the scene. */
  accept(command: LedgerCommand): void {
    const outcome = this.run.execute(command);
    if (outcome.status !== 'accepted') throw new Error(`given ${command.type}, but: ${describe(outcome)}`);
    assertSound(this.state);
  }

  /** `accept` without the checks that cost time in proportion to the state: for scenes of thousands of commands. */
  quietly(command: LedgerCommand): void {
    const outcome = this.run.execute(command);
    if (outcome.status !== 'accepted') throw new Error(`given ${command.type}, but: ${describe(outcome)}`);
  }

  /** The decision at this point, without any change. */
  dryRun(command: LedgerCommand): Decision {
    return decide(this.state, command, this.now);
  }

  /** The same scenario on a state restored from a snapshot. */
  restored(): Scenario {
    return new Scenario(new LedgerRun(LedgerState.restore(structuredClone(this.state.snapshot()))));
  }

  when(...commands: readonly Given[]): this {
    this.remember();
    this.outcomes = commands.flat().map((command) => this.run.execute(command));
    assertSound(this.state);
    return this;
  }

  /** An admin reverses the last movement of this type. */
  whenReversed(type: ReversibleType, { partly = false, adminId = 'admin' } = {}): this {
    return this.when(this.reversalOf(type, { partly, adminId }));
  }

  /** The command that reverses the last movement of this type. */
  reversalOf(type: ReversibleType, options: { partly?: boolean; adminId?: string } = {}): LedgerCommand {
    return reversalIn(this.run.journal, type, options);
  }

  whenKeyed(key: CommandKey & { readonly madeAt?: number }, command: LedgerCommand): this {
    this.remember();
    this.outcomes = [this.run.execute(command, key)];
    assertSound(this.state);
    return this;
  }

  /** The commands were accepted and wrote exactly these events. */
  thenWrites(...types: readonly LedgerEventType[]): this {
    const refused = this.outcomes.find(({ status }) => status !== 'accepted');
    if (refused) throw new Error(`expected ${types.join(', ')}, but: ${describe(refused)}`);
    const written = this.events().map(({ type }) => type);
    if (written.join(', ') !== types.join(', ')) {
      throw new Error(`expected ${types.join(', ')}, but: ${written.join(', ')}`);
    }
    return this;
  }

  /** The last command was refused with this code and changed nothing. */
  refused(code: RejectionCode, available?: string): this {
    const outcome = this.outcomes.at(-1);
    if (outcome?.status !== 'refused')
      throw new Error(`expected ${code}, but: ${outcome ? describe(outcome) : 'nothing'}`);
    const { rejection } = outcome;
    if (rejection.code !== code) throw new Error(`expected ${code}, but: ${describe(outcome)}`);
    if (available !== undefined && rejection.available !== Money.parse(available).minor) {
      throw new Error(`expected ${available} to be available, but: ${rejection.available} minor units`);
    }
    if (this.outcomes.length === 1) this.nothingChanged();
    return this;
  }

  /** The key's verdict on the last command, which changed nothing. */
  answered(status: 'repeat' | 'reused' | 'look-up', revision?: number): this {
    const outcome = this.outcomes.at(-1);
    if (outcome?.status !== status)
      throw new Error(`expected ${status}, but: ${outcome ? describe(outcome) : 'nothing'}`);
    if (outcome.status === 'repeat' && revision !== undefined && outcome.revision !== revision) {
      throw new Error(`expected a repeat of revision ${revision}, but: ${outcome.revision}`);
    }
    this.nothingChanged();
    return this;
  }

  events(): readonly LedgerEvent[] {
    return this.outcomes.flatMap((outcome) => (outcome.status === 'accepted' ? outcome.events : []));
  }

  /** Compares balances before and after with a table of `account before after`; a first row of headings is skipped. */
  balances(table: string): this {
    const after = figures(this.run);
    const rows = table
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([name = '', ...columns]) => name.includes(':') || (name === 'treasury' && columns.length));
    const named = new Set(rows.map(([name = '']) => name));
    const line = (name: string, was: string, is: string) => `${name} ${was} ${is}`;
    const actual = [...named].map((name) => line(name, print(this.before, name), print(after, name)));
    for (const name of new Set([...this.before.keys(), ...after.keys()])) {
      const changed = (this.before.get(name) ?? 0n) !== (after.get(name) ?? 0n);
      if (changed && !named.has(name)) actual.push(line(name, print(this.before, name), print(after, name)));
    }
    const expected = rows.map(([name = '', was = '', is = '']) => line(name, was, is));
    if (expected.join('\n') !== actual.join('\n')) {
      throw new Error(`expected balances\n${expected.join('\n')}\n\nbut they are\n${actual.join('\n')}`);
    }
    return this;
  }

  private remember(): void {
    this.before = figures(this.run);
    this.stateBefore = canonical(this.state);
  }

  private nothingChanged(): void {
    if (canonical(this.state) !== this.stateBefore) throw new Error('a command that took no effect changed the state');
  }
}

function describe(outcome: Outcome): string {
  switch (outcome.status) {
    case 'accepted':
      return `accepted: ${outcome.events.map(({ type }) => type).join(', ')}`;
    case 'refused':
      return `refused: ${outcome.rejection.code} (${outcome.rejection.message})`;
    case 'repeat':
    case 'reused':
    case 'look-up':
      return outcome.status;
  }
}

function figures({ state }: LedgerRun): Map<string, bigint> {
  const all = new Map<string, bigint>();
  for (const [account, , balance] of state.accounts()) all.set(account, balance);
  for (const pool of state.poolNames()) {
    for (const [userId, holder] of state.holdersOf(pool)) {
      all.set(`shares:${pool}:${userId}`, holder.shares);
      if (!all.has(`owed:${userId}`)) all.set(`owed:${userId}`, state.owed(userId));
    }
  }
  return all;
}

function currencyOf(name: string): Currency {
  const parts = name.split(':');
  const last = parts.at(-1) ?? '';
  if (parts[0] === 'shares') return 'INFLUENCE';
  if (parts[0] === 'user') return MEMBER_BALANCE_CURRENCY[last as MemberBalance];
  return CURRENCIES.find((currency) => currency === last) ?? 'NOVA';
}

const print = (all: ReadonlyMap<string, bigint>, name: string): string =>
  Money.ofMinor(all.get(name) ?? 0n, currencyOf(name)).toString();
