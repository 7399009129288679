import type { AppSpendingContext, CommandOf, LedgerCommand } from '../commands.js';
import type { LedgerEvent } from '../events.js';
import { Fraction } from './fraction.js';

/**
 * The ledger once more, as plainly as possible: balances in a map, pools paid at once in exact fractions. It shares no
 * code with the rules that it checks. `apply` follows a command that the ledger accepted, `verdict` says beforehand
 * whether the ledger should accept it.
 *
 * The one thing it takes from the events is which whole units a payout moved, because the ledger may pay later.
 */
export class Model {
  readonly balances = new Map<string, bigint>();
  readonly pools = new Map<string, ModelPool>();
  readonly holds = new Map<string, { initiator: string; host: string; purchased: bigint; earned: bigint }>();
  readonly rewards = new Map<string, { initiator: string; host: string; amount: bigint; open: Set<string> }>();
  readonly releases = new Map<string, number>();
  readonly disputes = new Map<string, Set<string>>();
  readonly debts = new Map<string, { readonly id: string; readonly amount: bigint; open: bigint }[]>();
  readonly standing = new Map<string, 'closing' | 'closed'>();
  private signing: { readonly journal: string | undefined; readonly publicKey: string } | undefined;
  readonly owners = new Map<string, string>();
  readonly spentOn = new Map<string, bigint>();
  readonly grantedOn = new Map<string, bigint>();

  balance(account: string): bigint {
    return this.balances.get(account) ?? 0n;
  }

  nova(user: string): { purchased: bigint; earned: bigint } {
    return { purchased: this.balance(`user:${user}:purchased`), earned: this.balance(`user:${user}:earned`) };
  }

  /** The whole units that pools owe a member: from and to, since the ledger's scale may be a hair below a whole unit. */
  owed(user: string): { least: bigint; most: bigint } {
    let [least, most] = [0n, 0n];
    for (const pool of this.pools.values()) {
      const owed = pool.owed(user);
      if (!owed) continue;
      const low = owed.minus(HAIR).floor();
      least += low < 0n ? 0n : low;
      most += owed.plus(HAIR).floor();
    }
    return { least, most };
  }

  pool(name: string): ModelPool {
    const known = this.pools.get(name) ?? new ModelPool();
    this.pools.set(name, known);
    return known;
  }

  move(from: string, to: string, amount: bigint): void {
    this.balances.set(from, this.balance(from) - amount);
    this.balances.set(to, this.balance(to) + amount);
  }

  /** Pays into a pool, or to the treasury if nobody could receive it. */
  private reward(from: string, name: string, amount: bigint): void {
    const pool = this.pool(name);
    this.move(from, pool.total > 0n ? name : 'treasury', amount);
    if (pool.total > 0n) pool.deposit(amount);
  }

  /** Takes purchased Nova first, or earned first. */
  private take(prefix: string, to: (kind: 'purchased' | 'earned') => string, amount: bigint, order = PURCHASED_FIRST) {
    const taken = { purchased: 0n, earned: 0n };
    for (const kind of order) {
      const there = this.balance(`${prefix}:${kind}`);
      taken[kind] = there < amount ? there : amount;
      this.move(`${prefix}:${kind}`, to(kind), taken[kind]);
      amount -= taken[kind];
    }
    return taken;
  }

  private changeShares(name: string, user: string, delta: bigint): void {
    const rest = this.pool(name).change(user, delta);
    if (rest) this.move(name, 'treasury', rest);
  }

  private pay(sender: string, recipient: string, amount: bigint): void {
    this.take(`user:${sender}`, () => 'passing', amount);
    this.move('passing', `user:${recipient}:earned`, amount - amount / 2n);
    this.reward('passing', 'pool:influence', amount / 2n);
  }

  private spentKey(user: string, client: string, at: number): string {
    return `${new Date(at).toISOString().slice(0, 10)} ${user} ${client}`;
  }

  private countSpending(user: string, via: AppSpendingContext | undefined, amount: bigint, at: number): void {
    if (!via) return;
    const key = this.spentKey(user, via.clientId, at);
    this.spentOn.set(key, (this.spentOn.get(key) ?? 0n) + amount);
  }

  private mint(user: string, token: 'karma' | 'influence'): void {
    this.move(`issuance:${token.toUpperCase()}`, `user:${user}:${token}`, 1n);
    this.changeShares(`pool:${token}`, user, 1n);
  }

  /** Follows an accepted command; first the payout that the ledger made in front of it, if any. */
  apply(command: LedgerCommand, events: readonly LedgerEvent[], at: number): void {
    for (const event of events) {
      if (event.type !== 'PoolRewardsPaid') continue;
      for (const [name, amount] of event.payouts) {
        this.pool(name).pay(event.userId, amount);
        this.move(name, `user:${event.userId}:earned`, amount);
      }
    }
    this.follow(command, at);
  }

  private follow(command: LedgerCommand, at: number): void {
    switch (command.type) {
      case 'RecordPurchase':
      case 'ReversePurchase':
      case 'ReinstatePurchase':
      case 'RepayShortfall':
      case 'WriteOffShortfall':
        return this.followPurchase(command);
      case 'FreezeSpending':
        return void this.disputes.set(
          command.userId,
          new Set(this.disputes.get(command.userId)).add(command.disputeId),
        );
      case 'UnfreezeSpending':
        return this.unfreeze(command);
      case 'SendGift':
        this.countSpending(command.senderId, command.via, command.amount, at);
        return this.pay(command.senderId, command.recipientId, command.amount);
      case 'PayForCard':
        return this.pay(command.senderId, command.recipientId, command.amount);
      case 'HoldChatPayment':
      case 'RefundChatPayment':
      case 'SettleChatPayment':
      case 'ReleaseChatReward':
        return this.followChat(command);
      case 'MintKarma':
        return this.mint(command.userId, 'karma');
      case 'GrantThreadShare':
        return this.changeShares(`pool:thread:${command.hostId}`, command.userId, 1n);
      case 'ClaimQuestReward':
        return this.move('issuance:NOVA', `user:${command.userId}:earned`, command.amount);
      case 'GrantNova':
        return this.grant(command.adminId, [command], at);
      case 'GrantNovaInBulk':
        return this.grant(command.adminId, command.grants, at);
      case 'CollectRewards':
      case 'ClosePeriod':
        return;
      case 'BeginSigning':
      case 'ChangeSigningKey':
        return void (this.signing = { journal: this.signing?.journal, ...command });
      case 'DeductNova':
        this.take(`user:${command.userId}`, () => 'issuance:NOVA', command.amount, EARNED_FIRST);
        return;
      case 'BurnTokens':
        return this.burn(command.userId, command);
      case 'FundAppWallet':
        this.owners.set(command.clientId, command.ownerId);
        this.take(`user:${command.ownerId}`, (kind) => `app:${command.clientId}:${kind}`, command.amount);
        return;
      case 'WithdrawAppWallet':
        this.take(`app:${command.clientId}`, (kind) => `user:${command.ownerId}:${kind}`, command.amount);
        return;
      case 'SpendAppTokens':
        this.owners.set(command.via.clientId, command.via.ownerId);
        this.countSpending(command.userId, command.via, command.amount, at);
        this.take(`user:${command.userId}`, (kind) => `app:${command.via.clientId}:${kind}`, command.amount);
        return;
      case 'EarnAppTokens':
        return this.earn(command.clientId, [command]);
      case 'EarnAppTokensInBulk':
        return this.earn(command.clientId, command.payments);
      case 'ReverseMovement':
        return this.reverse(command);
      case 'CloseAccount':
        return void this.standing.set(command.userId, 'closing');
      case 'FinishClosingAccount':
        return this.close(command.userId);
    }
  }

  /** Fills the wanted buckets from the same ones, and what is then lacking from the other. */
  private refill(
    from: string,
    { purchased, earned }: { purchased: bigint; earned: bigint },
    to: (kind: NovaKind) => string,
  ): void {
    const left = { purchased, earned };
    for (const source of [(kind: NovaKind) => kind, (kind: NovaKind) => (kind === 'earned' ? 'purchased' : 'earned')]) {
      for (const kind of PURCHASED_FIRST) {
        const there = this.balance(`${from}:${source(kind)}`);
        const moved = there < left[kind] ? there : left[kind];
        left[kind] -= moved;
        this.move(`${from}:${source(kind)}`, to(kind), moved);
      }
    }
  }

  private reverse(command: CommandOf<'ReverseMovement'>): void {
    const { originalType, userId, counterpartyId, clientId, purchased, earned } = command;
    switch (originalType) {
      case 'GiftSent': {
        const half = (purchased + earned) / 2n;
        const treasury = this.balance('treasury');
        this.refill(`user:${counterpartyId}`, { purchased: 0n, earned: purchased + earned - half }, () => 'passing');
        this.move('treasury', 'passing', treasury < half ? treasury : half);
        const kept = purchased + earned - this.balance('passing');
        const back = kept < purchased ? purchased - kept : 0n;
        this.move('passing', `user:${userId}:purchased`, back);
        return this.move('passing', `user:${userId}:earned`, this.balance('passing'));
      }
      case 'NovaGranted':
        return this.refill(`user:${userId}`, { purchased, earned }, () => 'issuance:NOVA');
      case 'NovaDeducted':
        this.move('issuance:NOVA', `user:${userId}:purchased`, purchased);
        return this.move('issuance:NOVA', `user:${userId}:earned`, earned);
      case 'AppTokensSpent':
        return this.refill(`app:${clientId}`, { purchased, earned }, (kind) => `user:${userId}:${kind}`);
      case 'AppTokensEarned':
        return this.refill(`user:${userId}`, { purchased, earned }, (kind) => `app:${clientId}:${kind}`);
    }
  }

  private mayReverse(command: CommandOf<'ReverseMovement'>): 'accept' | 'refuse' | 'either' {
    const { originalType, originalRevision, userId, counterpartyId, clientId = '', purchased, earned } = command;
    const amount = purchased + earned;
    if (originalRevision < 0 || originalRevision > 1_000 || purchased < 0n || earned < 0n || amount <= 0n)
      return 'refuse';
    const here = (user: string) => {
      const { least, most } = this.owed(user);
      const paid = this.nova(user).purchased + this.nova(user).earned;
      return { least: least + paid, most: most + paid };
    };
    const [treasury, half] = [this.balance('treasury'), amount / 2n];
    const wallet = this.balance(`app:${clientId}:purchased`) + this.balance(`app:${clientId}:earned`);
    switch (originalType) {
      case 'GiftSent': {
        if (counterpartyId === null || counterpartyId === userId) return 'refuse';
        if (this.standing.has(userId) || this.standing.get(counterpartyId) === 'closed') return 'refuse';
        const [held, isTreasuryShort] = [here(counterpartyId), treasury < half];
        if (!command.partly) return isTreasuryShort ? 'refuse' : this.covers(held, amount - half);
        return half > 0n && treasury > 0n ? 'accept' : this.covers(held, 1n);
      }
      case 'NovaGranted':
        if (this.standing.get(userId) === 'closed') return 'refuse';
        return this.covers(here(userId), command.partly ? 1n : amount);
      case 'NovaDeducted':
        return yes(!this.standing.has(userId));
      case 'AppTokensSpent':
        if (this.standing.has(userId) || this.owners.get(clientId) !== counterpartyId) return 'refuse';
        return yes(wallet >= (command.partly ? 1n : amount) && this.standing.get(counterpartyId ?? '') !== 'closed');
      case 'AppTokensEarned':
        if (this.owners.get(clientId) !== counterpartyId || this.standing.has(counterpartyId ?? '')) return 'refuse';
        if (this.standing.get(userId) === 'closed') return 'refuse';
        return this.covers(here(userId), command.partly ? 1n : amount);
      default:
        return 'refuse';
    }
  }

  private followPurchase(command: PurchaseCommand): void {
    switch (command.type) {
      case 'RecordPurchase':
        return this.move('external:stripe', `user:${command.userId}:purchased`, command.amount);
      case 'ReversePurchase': {
        const taken = this.take(`user:${command.userId}`, () => 'external:stripe', command.amount);
        const lacking = command.amount - taken.purchased - taken.earned;
        if (lacking > 0n && this.standing.get(command.userId) !== 'closed') {
          this.debtsOf(command.userId).push({ id: command.reversalId, amount: lacking, open: lacking });
        }
        return this.move('external:chargebacks', 'external:stripe', lacking);
      }
      case 'ReinstatePurchase': {
        const { userId, amount, purchased, earned } = command;
        const repaid = this.repaidOf(command);
        this.settle(userId, command.reversalId);
        this.move('external:stripe', `user:${userId}:purchased`, purchased + repaid);
        this.move('external:stripe', `user:${userId}:earned`, earned);
        return this.move('external:stripe', 'external:chargebacks', amount - purchased - earned - repaid);
      }
      case 'RepayShortfall': {
        const open = this.debt(command.userId, command.reversalId)?.open ?? 0n;
        const { purchased, earned } = this.nova(command.userId);
        const amount = open < purchased + earned ? open : purchased + earned;
        this.take(`user:${command.userId}`, () => 'external:chargebacks', amount);
        return this.settle(command.userId, command.reversalId, amount);
      }
      case 'WriteOffShortfall':
        return this.settle(command.userId, command.reversalId);
    }
  }

  private debtsOf(user: string): { readonly id: string; readonly amount: bigint; open: bigint }[] {
    const known = this.debts.get(user) ?? [];
    this.debts.set(user, known);
    return known;
  }

  private debt(user: string, id: string) {
    return this.debtsOf(user).find((debt) => debt.id === id);
  }

  /** Takes so much off the first debt of this reversal, or all of it. */
  private settle(user: string, id: string, amount?: bigint): void {
    const debt = this.debt(user, id);
    if (debt) debt.open -= amount ?? debt.open;
    this.debts.set(
      user,
      this.debtsOf(user).filter(({ open }) => open > 0n),
    );
  }

  /** What came in of a shortfall: known here while it is open, else as the command says. */
  private repaidOf({ userId, reversalId, amount, purchased, earned, repaid }: CommandOf<'ReinstatePurchase'>): bigint {
    const debt = this.debt(userId, reversalId);
    return debt ? amount - purchased - earned - debt.open : repaid;
  }

  private purchaseVerdict(
    command: Exclude<PurchaseCommand, { type: 'RecordPurchase' }>,
  ): 'accept' | 'refuse' | 'either' {
    switch (command.type) {
      case 'ReversePurchase':
        return yes(command.amount > 0n);
      case 'ReinstatePurchase':
        return yes(this.mayReinstate(command));
      case 'RepayShortfall':
        if (!this.debt(command.userId, command.reversalId)) return 'refuse';
        return this.standing.has(command.userId) ? 'refuse' : this.affords(command.userId, 1n);
      case 'WriteOffShortfall':
        return yes(this.debt(command.userId, command.reversalId) !== undefined);
    }
  }

  private mayReinstate(command: CommandOf<'ReinstatePurchase'>): boolean {
    const { userId, amount, purchased, earned, originalRevision } = command;
    const repaid = this.repaidOf(command);
    if (originalRevision < 0 || originalRevision > 1_000 || this.standing.has(userId)) return false;
    return amount > 0n && purchased >= 0n && earned >= 0n && repaid >= 0n && purchased + earned + repaid <= amount;
  }

  private unfreeze({ userId, disputeId }: CommandOf<'UnfreezeSpending'>): void {
    const open = new Set(this.disputes.get(userId));
    if (disputeId === null) open.clear();
    else open.delete(disputeId);
    this.disputes.set(userId, open);
  }

  private followChat(
    command: CommandOf<'HoldChatPayment' | 'RefundChatPayment' | 'SettleChatPayment' | 'ReleaseChatReward'>,
  ): void {
    const escrow = `chat:${command.chatId}`;
    switch (command.type) {
      case 'HoldChatPayment': {
        const { initiatorId: initiator, hostId: host } = command;
        const mix = this.take(`user:${initiator}`, () => escrow, command.amount);
        this.holds.set(command.chatId, { initiator, host, ...mix });
        return;
      }
      case 'RefundChatPayment':
        return this.giveBack(command.chatId, 0n);
      case 'SettleChatPayment': {
        const hold = this.holds.get(command.chatId);
        if (!hold) throw new Error('the model holds no such chat');
        const price = hold.purchased + hold.earned;
        const due = command.outcome === 'success' ? price : command.due;
        this.giveBack(command.chatId, due);
        const [host = 0n, karma = 0n, thread = 0n, treasury = 0n] = partsOf(due, [5n, 1n, 1n, 3n]);
        const kind = command.outcome === 'success' ? 'pending' : 'earned';
        this.move(escrow, `user:${hold.host}:${kind}`, host);
        this.reward(escrow, 'pool:karma', karma);
        this.reward(escrow, `pool:thread:${hold.host}`, thread);
        this.move(escrow, 'treasury', treasury);
        if (command.outcome !== 'success') return;
        const open = new Set(['host', 'initiator']);
        this.rewards.set(command.chatId, { initiator: hold.initiator, host: hold.host, amount: host, open });
        return;
      }
      case 'ReleaseChatReward': {
        const reward = this.rewards.get(command.chatId);
        if (!reward?.open.delete(command.side)) throw new Error('the model has no such reward');
        if (reward.open.size === 0) this.rewards.delete(command.chatId);
        if (command.side === 'initiator') return this.mint(reward.initiator, 'influence');
        this.move(`user:${reward.host}:pending`, `user:${reward.host}:earned`, reward.amount);
        const count = (this.releases.get(reward.host) ?? 0) + 1;
        this.releases.set(reward.host, count);
        if (count % 5 === 0) this.mint(reward.host, 'influence');
        return;
      }
    }
  }

  /** Returns the part that is not due: the due part uses up purchased Nova first. */
  private giveBack(chatId: string, due: bigint): void {
    const hold = this.holds.get(chatId);
    if (!hold) throw new Error('the model holds no such chat');
    const duePurchased = due < hold.purchased ? due : hold.purchased;
    this.move(`chat:${chatId}`, `user:${hold.initiator}:purchased`, hold.purchased - duePurchased);
    this.move(`chat:${chatId}`, `user:${hold.initiator}:earned`, hold.earned - (due - duePurchased));
    this.holds.delete(chatId);
  }

  private burn(user: string, tokens: { earnedNova: bigint; karma: bigint; influence: bigint }): void {
    this.move(`user:${user}:earned`, 'burned:NOVA', tokens.earnedNova);
    for (const token of ['karma', 'influence'] as const) {
      this.move(`user:${user}:${token}`, `burned:${token.toUpperCase()}`, tokens[token]);
      if (tokens[token]) this.changeShares(`pool:${token}`, user, -tokens[token]);
    }
    const seyvn = tokens.earnedNova + 1_000n * tokens.influence + 500n * tokens.karma;
    this.move('issuance:SEYVN', `user:${user}:seyvn`, seyvn);
  }

  private close(user: string): void {
    for (const kind of PURCHASED_FIRST)
      this.move(`user:${user}:${kind}`, 'treasury', this.balance(`user:${user}:${kind}`));
    for (const token of ['karma', 'influence', 'seyvn']) {
      this.move(`user:${user}:${token}`, `burned:${token.toUpperCase()}`, this.balance(`user:${user}:${token}`));
    }
    for (const [name, pool] of this.pools) {
      const shares = pool.shares.get(user);
      if (shares) this.changeShares(name, user, -shares);
    }
    this.disputes.delete(user);
    this.debts.delete(user);
    this.standing.set(user, 'closed');
  }

  // ---- what should be accepted ----------------------------------------------------------------------------------------

  private earn(clientId: string, payments: readonly { readonly userId: string; readonly amount: bigint }[]): void {
    for (const { userId, amount } of payments) this.take(`app:${clientId}`, (kind) => `user:${userId}:${kind}`, amount);
  }

  /** `accept`, `refuse`, or `either` if a tiny fraction decides. */
  verdict(command: LedgerCommand, at: number): 'accept' | 'refuse' | 'either' {
    switch (command.type) {
      case 'RecordPurchase':
      case 'ClaimQuestReward':
        return yes(command.amount > 0n && !this.standing.has(command.userId));
      case 'GrantNova':
        return yes(this.mayGrant(command, [command], at));
      case 'GrantNovaInBulk':
        return yes(this.mayGrant(command, command.grants, at));
      case 'ClosePeriod':
        return yes(command.endsAt >= 0 && command.endsAt < at);
      case 'BeginSigning':
      case 'ChangeSigningKey':
        return yes(this.maySign(command));
      case 'ReversePurchase':
      case 'ReinstatePurchase':
      case 'RepayShortfall':
      case 'WriteOffShortfall':
        return this.purchaseVerdict(command);
      case 'FreezeSpending':
        return yes(this.standing.get(command.userId) !== 'closed');
      case 'UnfreezeSpending':
        return yes(this.mayUnfreeze(command));
      case 'SendGift':
        if (command.amount < 100_000n || command.amount > 100_000_000n) return 'refuse';
        if (command.via && !this.withinDay(command.senderId, command.via, command.amount, at)) return 'refuse';
        return this.mayPay(command.senderId, command.recipientId, command.amount);
      case 'PayForCard':
        return this.mayPay(command.senderId, command.recipientId, command.amount);
      case 'HoldChatPayment':
        if (this.holds.has(command.chatId) || this.rewards.has(command.chatId)) return 'refuse';
        return this.mayPay(command.initiatorId, command.hostId, command.amount);
      case 'RefundChatPayment':
        return yes(this.holds.has(command.chatId));
      case 'SettleChatPayment': {
        if (!this.holds.has(command.chatId)) return 'refuse';
        const due = command.outcome === 'success' ? 0n : command.due;
        return yes(due >= 0n && due <= this.balance(`chat:${command.chatId}`));
      }
      case 'ReleaseChatReward':
        return yes(this.rewards.get(command.chatId)?.open.has(command.side) ?? false);
      case 'MintKarma':
        return yes(
          command.completedChats > 0 && command.completedChats % 5 === 0 && !this.standing.has(command.userId),
        );
      case 'GrantThreadShare':
        return yes(!this.standing.has(command.userId) && !this.standing.has(command.hostId));
      case 'CollectRewards':
        return this.covers(this.owed(command.userId), 1n);
      case 'DeductNova':
        if (command.amount <= 0n || this.standing.has(command.userId)) return 'refuse';
        return this.affords(command.userId, command.amount);
      case 'BurnTokens':
        return this.mayBurn(command);
      case 'FundAppWallet':
      case 'WithdrawAppWallet':
      case 'SpendAppTokens':
      case 'EarnAppTokens':
        return this.appVerdict(command, at);
      case 'EarnAppTokensInBulk':
        return yes(this.mayEarn(command.clientId, command.payments));
      case 'ReverseMovement':
        return this.mayReverse(command);
      case 'CloseAccount':
        return yes(!this.standing.has(command.userId));
      case 'FinishClosingAccount':
        return yes(this.standing.get(command.userId) === 'closing' && !this.isBusy(command.userId));
    }
  }

  private mayUnfreeze({ userId, disputeId }: CommandOf<'UnfreezeSpending'>): boolean {
    const open = this.disputes.get(userId) ?? new Set();
    return disputeId === null ? open.size > 0 : open.has(disputeId);
  }

  private maySign(command: CommandOf<'BeginSigning' | 'ChangeSigningKey'>): boolean {
    if (command.publicKey.length !== 64) return false;
    if (command.type === 'BeginSigning') {
      return command.journal !== this.signing?.journal && /^[0-9a-f]{32}$/.test(command.journal);
    }
    return this.signing !== undefined && command.publicKey !== this.signing.publicKey && command.proof.length === 86;
  }

  private appVerdict(
    command: CommandOf<'FundAppWallet' | 'WithdrawAppWallet' | 'SpendAppTokens' | 'EarnAppTokens'>,
    at: number,
  ): 'accept' | 'refuse' | 'either' {
    const { amount } = command;
    const client = command.type === 'SpendAppTokens' ? command.via.clientId : command.clientId;
    const owner = this.owners.get(client);
    const wallet = this.balance(`app:${client}:purchased`) + this.balance(`app:${client}:earned`);
    switch (command.type) {
      case 'FundAppWallet':
        if (owner !== undefined && owner !== command.ownerId) return 'refuse';
        return this.maySpend(command.ownerId, amount);
      case 'WithdrawAppWallet':
        return yes(amount > 0n && owner === command.ownerId && amount <= wallet);
      case 'SpendAppTokens': {
        const { via, userId } = command;
        if ((owner ?? via.ownerId) !== via.ownerId || via.ownerId === userId) return 'refuse';
        if (this.standing.has(via.ownerId) || !this.withinDay(userId, via, amount, at)) return 'refuse';
        return this.maySpend(userId, amount);
      }
      case 'EarnAppTokens':
        return yes(this.mayEarn(client, [command]));
    }
  }

  private mayEarn(client: string, payments: readonly { userId: string; amount: bigint }[]): boolean {
    const owner = this.owners.get(client);
    const wallet = this.balance(`app:${client}:purchased`) + this.balance(`app:${client}:earned`);
    const total = payments.reduce((sum, { amount }) => sum + amount, 0n);
    const isStopped = owner === undefined || this.standing.has(owner) || this.isFrozen(owner);
    const areOpen = payments.every(({ userId, amount }) => amount > 0n && !this.standing.has(userId));
    return payments.length > 0 && total <= wallet && !isStopped && areOpen;
  }

  private grantKey(admin: string, at: number): string {
    return `${new Date(at).toISOString().slice(0, 10)} ${admin}`;
  }

  private grant(admin: string, grants: readonly { userId: string; amount: bigint }[], at: number): void {
    const key = this.grantKey(admin, at);
    for (const { userId, amount } of grants) {
      this.grantedOn.set(key, (this.grantedOn.get(key) ?? 0n) + amount);
      this.move('issuance:NOVA', `user:${userId}:earned`, amount);
    }
  }

  private mayGrant(
    { adminId, dailyLimit }: { readonly adminId: string; readonly dailyLimit?: bigint },
    grants: readonly { userId: string; amount: bigint }[],
    at: number,
  ): boolean {
    const before = this.grantedOn.get(this.grantKey(adminId, at)) ?? 0n;
    const after = grants.reduce((sum, { amount }) => sum + amount, before);
    if (dailyLimit !== undefined && after > dailyLimit) return false;
    return grants.length > 0 && grants.every(({ userId, amount }) => amount > 0n && !this.standing.has(userId));
  }

  private withinDay(user: string, via: AppSpendingContext, amount: bigint, at: number): boolean {
    return (this.spentOn.get(this.spentKey(user, via.clientId, at)) ?? 0n) + amount <= via.dailyLimit;
  }

  private mayPay(sender: string, recipient: string, amount: bigint): 'accept' | 'refuse' | 'either' {
    if (sender === recipient || this.standing.has(recipient)) return 'refuse';
    return this.maySpend(sender, amount);
  }

  private maySpend(user: string, amount: bigint): 'accept' | 'refuse' | 'either' {
    if (amount <= 0n || this.standing.has(user) || this.isFrozen(user)) return 'refuse';
    return this.affords(user, amount);
  }

  private affords(user: string, amount: bigint): 'accept' | 'refuse' | 'either' {
    const { purchased, earned } = this.nova(user);
    return this.covers(this.owed(user), amount - purchased - earned);
  }

  private covers({ least, most }: { least: bigint; most: bigint }, amount: bigint): 'accept' | 'refuse' | 'either' {
    if (amount <= least) return 'accept';
    return amount > most ? 'refuse' : 'either';
  }

  private mayBurn(command: { userId: string; earnedNova: bigint; karma: bigint; influence: bigint }) {
    const { userId, earnedNova, karma, influence } = command;
    if (earnedNova < 0n || karma < 0n || influence < 0n) return 'refuse';
    if (earnedNova + karma + influence === 0n || this.standing.has(userId) || this.isFrozen(userId)) return 'refuse';
    if (karma > this.balance(`user:${userId}:karma`)) return 'refuse';
    if (influence > this.balance(`user:${userId}:influence`)) return 'refuse';
    return this.covers(this.owed(userId), earnedNova - this.nova(userId).earned);
  }

  private isFrozen(user: string): boolean {
    return (this.disputes.get(user)?.size ?? 0) > 0;
  }

  private isBusy(user: string): boolean {
    for (const { initiator, host } of this.holds.values()) if (initiator === user || host === user) return true;
    for (const { initiator, host, open } of this.rewards.values()) {
      if ((host === user && open.has('host')) || (initiator === user && open.has('initiator'))) return true;
    }
    for (const [client, owner] of this.owners) {
      if (owner === user && this.balance(`app:${client}:purchased`) + this.balance(`app:${client}:earned`)) return true;
    }
    return false;
  }
}

type PurchaseCommand = CommandOf<
  'RecordPurchase' | 'ReversePurchase' | 'ReinstatePurchase' | 'RepayShortfall' | 'WriteOffShortfall'
>;

type NovaKind = 'purchased' | 'earned';
const PURCHASED_FIRST: readonly NovaKind[] = ['purchased', 'earned'];
const EARNED_FIRST: readonly NovaKind[] = ['earned', 'purchased'];
/** How far the scaled accumulator may lag behind exact fractions, in minor units: 10^-12 a share and change of shares. */
const HAIR = Fraction.of(1n, 10n ** 6n);

const yes = (condition: boolean): 'accept' | 'refuse' => (condition ? 'accept' : 'refuse');

/** Largest remainder in another form: hands out one unit at a time to the holder furthest below their exact share. */
function partsOf(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const parts = weights.map((weight) => (amount * weight) / total);
  for (let left = amount - parts.reduce((sum, part) => sum + part, 0n); left > 0n; left--) {
    const below = weights.map((weight, n) => amount * weight - (parts[n] ?? 0n) * total);
    const most = below.reduce((max, gap) => (gap > max ? gap : max));
    const next = below.indexOf(most);
    parts[next] = (parts[next] ?? 0n) + 1n;
  }
  return parts;
}

/** A pool that credits every deposit at once, in exact fractions. */
export class ModelPool {
  readonly shares = new Map<string, bigint>();
  /** Credited and not yet paid. */
  private readonly credit = new Map<string, Fraction>();

  get total(): bigint {
    return [...this.shares.values()].reduce((sum, shares) => sum + shares, 0n);
  }

  owed(user: string): Fraction | undefined {
    return this.credit.get(user);
  }

  deposit(amount: bigint): void {
    this.spread(Fraction.of(amount));
  }

  pay(user: string, amount: bigint): void {
    this.credit.set(user, (this.credit.get(user) ?? Fraction.ZERO).minus(Fraction.of(amount)));
  }

  /** Answers with the whole units that nobody is left to receive. */
  change(user: string, delta: bigint): bigint {
    const shares = (this.shares.get(user) ?? 0n) + delta;
    const credit = this.credit.get(user) ?? Fraction.ZERO;
    if (shares > 0n) {
      this.shares.set(user, shares);
      this.credit.set(user, credit);
      return 0n;
    }
    this.shares.delete(user);
    this.credit.delete(user);
    if (this.total > 0n) {
      this.spread(credit);
      return 0n;
    }
    if (credit.bottom !== 1n) throw new Error(`the last holder leaves ${credit.toString()} minor units`);
    return credit.top;
  }

  private spread(amount: Fraction): void {
    const { total } = this;
    for (const [user, shares] of this.shares) {
      this.credit.set(user, (this.credit.get(user) ?? Fraction.ZERO).plus(amount.part(shares, total)));
    }
  }
}
